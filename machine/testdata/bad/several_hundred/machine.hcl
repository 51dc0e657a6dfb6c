machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}

traffic "t0" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t1" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t2" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t3" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t4" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t5" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t6" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t7" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t8" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t9" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t10" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t11" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t12" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t13" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t14" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t15" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t16" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t17" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t18" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t19" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t20" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t21" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t22" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t23" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t24" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t25" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t26" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t27" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t28" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t29" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t30" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t31" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t32" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t33" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t34" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t35" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t36" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t37" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t38" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t39" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t40" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t41" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t42" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t43" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t44" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t45" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t46" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t47" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t48" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t49" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t50" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t51" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t52" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t53" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t54" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t55" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t56" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t57" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t58" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t59" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t60" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t61" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t62" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t63" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t64" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t65" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t66" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t67" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t68" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t69" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t70" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t71" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t72" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t73" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t74" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t75" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t76" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t77" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t78" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t79" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t80" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t81" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t82" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t83" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t84" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t85" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t86" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t87" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t88" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t89" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t90" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t91" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t92" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t93" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t94" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t95" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t96" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t97" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t98" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t99" {
  cycles = 100
  random {
    rate = 2
  }
}

traffic "t100" {
  cycles = 100
  random {
    rate = 2
  }
}
