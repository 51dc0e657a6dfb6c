machine "torus" {
  dimension "x" {
    m   = length([for x0 in [1] : [for x1 in [[x0, x0]] : [for x2 in [[x1, x1]] : [for x3 in [[x2, x2]] : [for x4 in [[x3, x3]] : [for x5 in [[x4, x4]] : [for x6 in [[x5, x5]] : [for x7 in [[x6, x6]] : [for x8 in [[x7, x7]] : [for x9 in [[x8, x8]] : [for x10 in [[x9, x9]] : [for x11 in [[x10, x10]] : [for x12 in [[x11, x11]] : [for x13 in [[x12, x12]] : [for x14 in [[x13, x13]] : [for x15 in [[x14, x14]] : [for x16 in [[x15, x15]] : [for x17 in [[x16, x16]] : [for x18 in [[x17, x17]] : [for x19 in [[x18, x18]] : [for x20 in [[x19, x19]] : [for x21 in [[x20, x20]] : [for x22 in [[x21, x21]] : [for x23 in [[x22, x22]] : [for x24 in [[x23, x23]] : [for x25 in [[x24, x24]] : [for x26 in [[x25, x25]] : [for x27 in [[x26, x26]] : [for x28 in [[x27, x27]] : [for x29 in [[x28, x28]] : [for x30 in [[x29, x29]] : x30 == x30]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]])
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
