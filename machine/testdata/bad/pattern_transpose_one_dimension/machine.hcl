machine "torus" {
  dimension "x" {
    m   = 8
    rho = 2
  }
  message {
    destination = true
  }
}

traffic "t" {
  cycles = 100
  random {
    rate = 0.5
    pattern = "transpose"
  }
}
