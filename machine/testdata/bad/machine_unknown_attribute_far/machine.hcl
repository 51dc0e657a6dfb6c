machine "ring" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  wires = 3
}
