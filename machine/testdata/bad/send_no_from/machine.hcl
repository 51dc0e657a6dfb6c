machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 5
    rho = 1
  }
  message {
    destination = true
  }
}

traffic "t" {
  cycles = 100
  send {
    to = [1, 1]
  }
}
