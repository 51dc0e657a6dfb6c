locals {
  a0 = [1, 2]
  a1  = concat(local.a0, local.a0)
  a2  = concat(local.a1, local.a1)
  a3  = concat(local.a2, local.a2)
  a4  = concat(local.a3, local.a3)
  a5  = concat(local.a4, local.a4)
  a6  = concat(local.a5, local.a5)
  a7  = concat(local.a6, local.a6)
  a8  = concat(local.a7, local.a7)
  a9  = concat(local.a8, local.a8)
  a10 = concat(local.a9, local.a9)
  a11 = concat(local.a10, local.a10)
  a12 = concat(local.a11, local.a11)
  a13 = concat(local.a12, local.a12)
  a14 = concat(local.a13, local.a13)
  a15 = concat(local.a14, local.a14)
  a16 = concat(local.a15, local.a15)
  a17 = concat(local.a16, local.a16)
  a18 = concat(local.a17, local.a17)
  a19 = concat(local.a18, local.a18)
  a20 = concat(local.a19, local.a19)
  a21 = concat(local.a20, local.a20)
  a22 = concat(local.a21, local.a21)
  a23 = concat(local.a22, local.a22)
  a24 = concat(local.a23, local.a23)
}

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
