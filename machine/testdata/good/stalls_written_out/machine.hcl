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
    sources = [[0, 2], [3, 1]]
    rate    = 1
  }
  stall {
    receivers = [[1, 2], [4, 3]]
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
    cycles    = 150
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
    at        = 0
    cycles    = 50
  }
  random {
    sources = setproduct(range(5), range(4))
    rate    = 0.5
    stall   = 0.25
  }
}
