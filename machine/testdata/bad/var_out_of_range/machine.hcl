variable "bits" {
  type    = number
  default = 32
}

machine "torus" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = var.bits
  }
}
