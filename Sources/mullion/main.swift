print("mullion")
