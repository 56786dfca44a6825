"""The shipped ONNX files, found and verified against their checksums before anything runs them."""
