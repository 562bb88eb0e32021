using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "disk", disk = (path = "objects", writable = true))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);

const worker :Workerd.Worker = (
  modules = [(name = "workers.mjs", esModule = embed "workers.mjs")],
  compatibilityDate = "2025-11-01",
  durableObjectNamespaces = [(className = "Conversations", uniqueKey = "conversations", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [(name = "CONVERSATIONS", durableObjectNamespace = "Conversations")]
);
