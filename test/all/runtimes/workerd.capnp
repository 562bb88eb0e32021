using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.bundle.mjs")],
  compatibilityDate = "2025-11-01"
);
