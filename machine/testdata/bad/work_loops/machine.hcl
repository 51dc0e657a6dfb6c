machine "torus" {
  dimension "x" {
    m   = length([for a in range(1000): [for b in range(1000): [for c in range(1000): a]]])
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
}
