/** The method and the path of each operation. Generated from the service's definitions by `npm run client`: do not edit. */
import type { Operation } from "@parley/client"

export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  operatorSession: {
    start: { method: "POST", path: "/api/operator/session", body: "json" },
    get: { method: "GET", path: "/api/operator/session" },
    end: { method: "DELETE", path: "/api/operator/session" }
  },
  operatorOrganizations: {
    list: { method: "GET", path: "/api/operator/organizations", takesQuery: true, answer: "list" },
    get: { method: "GET", path: "/api/operator/organizations/{id}" },
    change: { method: "PATCH", path: "/api/operator/organizations/{id}", body: "json" }
  },
  operatorFlags: {
    list: { method: "GET", path: "/api/operator/flags" },
    set: { method: "PUT", path: "/api/operator/flags/{flag}", body: "json" }
  },
  operatorResyncs: {
    list: { method: "GET", path: "/api/operator/resyncs", takesQuery: true, answer: "list" },
    start: { method: "POST", path: "/api/operator/resyncs", body: "json" },
    get: { method: "GET", path: "/api/operator/resyncs/{id}" },
    pause: { method: "POST", path: "/api/operator/resyncs/{id}/pause" },
    resume: { method: "POST", path: "/api/operator/resyncs/{id}/resume" },
    cancel: { method: "POST", path: "/api/operator/resyncs/{id}/cancel" }
  },
  operatorProviders: {
    list: { method: "GET", path: "/api/operator/providers" }
  },
  operatorNodes: {
    list: { method: "GET", path: "/api/operator/nodes" },
    drain: { method: "POST", path: "/api/operator/nodes/{id}/drain", body: "json" },
    open: { method: "POST", path: "/api/operator/nodes/{id}/open", body: "json" }
  },
  operatorEvents: {
    list: { method: "GET", path: "/api/operator/events", takesQuery: true, answer: "list" }
  }
}
