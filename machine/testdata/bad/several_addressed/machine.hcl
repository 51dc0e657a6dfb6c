machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  message {
    destination = 1
    last        = false
  }
}

traffic "t" {
  cycles = 100
  send {
    from = [[4], [2]]
    to   = ["all"]
    last = true
  }
  send {
    from = [[1], [2]]
    to   = [2]
    at   = 100
  }
  random {
    rate    = 0.5
    pattern = "transpose"
    hot     = [4]
    share   = 2
  }
}
