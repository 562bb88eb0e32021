module example.com/client

go 1.21

require github.com/santhosh-tekuri/jsonschema/v6 v6.0.2
