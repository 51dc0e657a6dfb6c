rtl/standin_router.v
rtl/standin_network.v
