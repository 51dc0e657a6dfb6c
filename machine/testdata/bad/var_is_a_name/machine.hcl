variable "w" {
  type = number
}
machine "ring" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = var.w
  }
}
