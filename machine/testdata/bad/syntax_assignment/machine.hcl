machine "a" {
  message = {
    payload_bits = 8
  }
  dimension "x" {
    m   = 4
    rho = 1
  }
}
