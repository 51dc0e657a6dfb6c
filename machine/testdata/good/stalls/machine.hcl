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

traffic "held" {
  cycles = 300
  random {
    sources = [[3, 1], [0, 2]]
    rate    = 1
  }
  stall {
    receivers = [[4, 3], [1, 2]]
    at        = 200
    cycles    = 10
  }
  stall {
    receivers = [[0, 0]]
    at        = 299
    cycles    = 1
  }
  stall {
    receivers = [[1, 2]]
    at        = 150
  }
  broadcast {
    sources = [[0, 1]]
    at      = 206
  }
}

traffic "everywhere" {
  cycles = 50
  stall {
    receivers = [[2, 2]]
  }
  random {
    rate  = 0.5
    stall = 0.25
  }
}
