machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 5
    rho = 1
  }
}

traffic "t" {
  cycles = 100
  stall {
    receivers = [[1, 2], [5, 0], [1, 2]]
    at        = 100
    cycles    = 0
  }
  random {
    rate    = 0.5
    sources = [[4, 0], [0, 0], [4, 4], [0, 0]]
  }
  stall {
    at     = -1
    cycles = 101
  }
  stall {
    receivers = [[0]]
    at        = 99
    cycles    = 2
  }
}
