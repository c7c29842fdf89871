/** The method and the path of each operation. Generated from the service's definitions by `npm run client`: do not edit. */
import type { Operation } from "../Operation.ts"

export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  voiceAgents: {
    list: { method: "GET", path: "/api/voice-agents", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/voice-agents", body: "json", takesKey: true },
    get: { method: "GET", path: "/api/voice-agents/{id}" },
    update: { method: "PUT", path: "/api/voice-agents/{id}", body: "json" },
    remove: { method: "DELETE", path: "/api/voice-agents/{id}" },
    versions: { method: "GET", path: "/api/voice-agents/{id}/versions", takesQuery: true, answer: "list" },
    version: { method: "GET", path: "/api/voice-agents/{id}/versions/{version}" },
    restore: { method: "POST", path: "/api/voice-agents/{id}/versions/{version}/restore", takesKey: true },
    calls: { method: "GET", path: "/api/voice-agents/{id}/calls", takesQuery: true, answer: "list" },
    call: { method: "POST", path: "/api/voice-agents/{id}/calls", body: "json", takesKey: true },
    testCall: { method: "POST", path: "/api/voice-agents/{id}/test-calls", body: "json", takesKey: true },
    tryTool: { method: "POST", path: "/api/voice-agents/{id}/tools/{name}/try", body: "json", takesKey: true },
    queue: { method: "GET", path: "/api/voice-agents/{id}/queue" }
  },
  voices: {
    list: { method: "GET", path: "/api/voices", takesQuery: true },
    preview: { method: "POST", path: "/api/voices/preview", body: "json", takesKey: true, answer: "file" }
  },
  calls: {
    list: { method: "GET", path: "/api/calls", takesQuery: true, answer: "list" },
    live: { method: "GET", path: "/api/calls/live" },
    say: { method: "POST", path: "/api/calls/{id}/say", body: "json", takesKey: true },
    end: { method: "POST", path: "/api/calls/{id}/end", takesKey: true },
    transfer: { method: "POST", path: "/api/calls/{id}/transfer", takesKey: true },
    listen: { method: "POST", path: "/api/calls/{id}/listen", takesKey: true },
    whisper: { method: "POST", path: "/api/calls/{id}/whisper", body: "json", takesKey: true },
    takeOver: { method: "POST", path: "/api/calls/{id}/take-over", body: "json", takesKey: true },
    handBack: { method: "POST", path: "/api/calls/{id}/hand-back", takesKey: true },
    get: { method: "GET", path: "/api/calls/{id}" },
    peaks: { method: "GET", path: "/api/calls/{id}/peaks", takesQuery: true },
    recording: { method: "GET", path: "/api/calls/{id}/recording", answer: "file" }
  },
  voiceUsage: {
    get: { method: "GET", path: "/api/voice-usage", takesQuery: true }
  },
  aiUsage: {
    get: { method: "GET", path: "/api/ai-usage", takesQuery: true }
  },
  toolAudit: {
    list: { method: "GET", path: "/api/tool-calls", takesQuery: true, answer: "list" }
  },
  knowledgeBases: {
    list: { method: "GET", path: "/api/knowledge-bases", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/knowledge-bases", body: "json", takesKey: true },
    get: { method: "GET", path: "/api/knowledge-bases/{id}" },
    update: { method: "PUT", path: "/api/knowledge-bases/{id}", body: "json" },
    remove: { method: "DELETE", path: "/api/knowledge-bases/{id}" },
    search: { method: "POST", path: "/api/knowledge-bases/{id}/search", body: "json", takesKey: true },
    unanswered: { method: "GET", path: "/api/knowledge-bases/{id}/unanswered", takesQuery: true, answer: "list" }
  },
  knowledgeSources: {
    list: { method: "GET", path: "/api/knowledge-bases/{baseId}/sources", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/knowledge-bases/{baseId}/sources", body: "json", takesKey: true },
    upload: { method: "POST", path: "/api/knowledge-bases/{baseId}/files", body: "form" },
    get: { method: "GET", path: "/api/knowledge-bases/{baseId}/sources/{id}" },
    update: { method: "PUT", path: "/api/knowledge-bases/{baseId}/sources/{id}", body: "json" },
    remove: { method: "DELETE", path: "/api/knowledge-bases/{baseId}/sources/{id}" },
    sync: { method: "POST", path: "/api/knowledge-bases/{baseId}/sources/{id}/sync", takesKey: true }
  },
  organization: {
    get: { method: "GET", path: "/api/organization" },
    update: { method: "PATCH", path: "/api/organization", body: "json" },
    people: { method: "GET", path: "/api/people", takesQuery: true, answer: "list" }
  },
  businessHours: {
    get: { method: "GET", path: "/api/organization/business-hours" },
    set: { method: "PUT", path: "/api/organization/business-hours", body: "json" }
  },
  slaPolicy: {
    get: { method: "GET", path: "/api/organization/sla-policy" },
    set: { method: "PUT", path: "/api/organization/sla-policy", body: "json" }
  },
  disclosure: {
    get: { method: "GET", path: "/api/organization/disclosure" },
    set: { method: "PUT", path: "/api/organization/disclosure", body: "json" }
  },
  voiceConsents: {
    get: { method: "GET", path: "/api/contacts/{id}/voice-consent" },
    grant: { method: "PUT", path: "/api/contacts/{id}/voice-consent", body: "json" },
    withdraw: { method: "DELETE", path: "/api/contacts/{id}/voice-consent" }
  },
  status: {
    get: { method: "GET", path: "/api/messaging-api/status" }
  },
  contacts: {
    list: { method: "GET", path: "/api/messaging-api/contacts", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/messaging-api/contacts", body: "json", takesQuery: true, takesKey: true },
    export: { method: "GET", path: "/api/messaging-api/contacts/export", takesQuery: true, answer: "text" },
    tags: { method: "GET", path: "/api/messaging-api/contacts/tags" },
    get: { method: "GET", path: "/api/messaging-api/contacts/{id}" },
    update: { method: "PATCH", path: "/api/messaging-api/contacts/{id}", body: "json" },
    erase: { method: "DELETE", path: "/api/messaging-api/contacts/{id}" },
    archive: { method: "POST", path: "/api/messaging-api/contacts/{id}/archive", takesKey: true },
    restore: { method: "POST", path: "/api/messaging-api/contacts/{id}/restore", takesKey: true },
    merge: { method: "POST", path: "/api/messaging-api/contacts/{id}/merge", body: "json", takesKey: true }
  },
  contactExports: {
    request: { method: "POST", path: "/api/messaging-api/contacts/{id}/export", takesKey: true },
    get: { method: "GET", path: "/api/messaging-api/contacts/{id}/export" },
    file: { method: "GET", path: "/api/messaging-api/contacts/{id}/export/file", answer: "file" }
  },
  messagingConsents: {
    get: { method: "GET", path: "/api/messaging-api/contacts/{id}/consent" },
    optIn: { method: "POST", path: "/api/messaging-api/contacts/{id}/opt-in", body: "json", takesKey: true },
    optOut: { method: "POST", path: "/api/messaging-api/contacts/{id}/opt-out", body: "json", takesKey: true }
  },
  phoneNumbers: {
    list: { method: "GET", path: "/api/voice-phone-numbers", takesQuery: true, answer: "list" },
    add: { method: "POST", path: "/api/voice-phone-numbers", body: "json", takesKey: true },
    available: { method: "GET", path: "/api/voice-phone-numbers/available", takesQuery: true },
    get: { method: "GET", path: "/api/voice-phone-numbers/{id}" },
    assign: { method: "PUT", path: "/api/voice-phone-numbers/{id}", body: "json" },
    release: { method: "DELETE", path: "/api/voice-phone-numbers/{id}" }
  },
  sipCredentials: {
    get: { method: "GET", path: "/api/voice-phone-numbers/sip-credentials" },
    revoke: { method: "DELETE", path: "/api/voice-phone-numbers/sip-credentials" },
    regenerate: { method: "POST", path: "/api/voice-phone-numbers/sip-credentials/regenerate", takesKey: true }
  },
  apiKeys: {
    list: { method: "GET", path: "/api/api-keys", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/api-keys", body: "json", takesKey: true },
    get: { method: "GET", path: "/api/api-keys/{id}" },
    update: { method: "PATCH", path: "/api/api-keys/{id}", body: "json" },
    revoke: { method: "DELETE", path: "/api/api-keys/{id}" },
    rotate: { method: "POST", path: "/api/api-keys/{id}/rotate", body: "json", takesKey: true }
  },
  session: {
    start: { method: "POST", path: "/api/session", body: "json" },
    get: { method: "GET", path: "/api/session" },
    change: { method: "PATCH", path: "/api/session", body: "json" },
    end: { method: "DELETE", path: "/api/session" }
  },
  sessions: {
    list: { method: "GET", path: "/api/sessions" },
    end: { method: "DELETE", path: "/api/sessions/{id}" }
  },
  setup: {
    state: { method: "GET", path: "/api/setup" },
    create: { method: "POST", path: "/api/setup", body: "json" }
  },
  users: {
    list: { method: "GET", path: "/api/users", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/users", body: "json", takesKey: true },
    colleagues: { method: "GET", path: "/api/users/colleagues", takesQuery: true, answer: "list" },
    acceptInvitation: { method: "POST", path: "/api/users/accept-invitation", body: "json" },
    get: { method: "GET", path: "/api/users/{id}" },
    update: { method: "PATCH", path: "/api/users/{id}", body: "json" },
    deactivate: { method: "DELETE", path: "/api/users/{id}" },
    setPassword: { method: "PUT", path: "/api/users/{id}/password", body: "json" },
    invite: { method: "POST", path: "/api/users/{id}/invitation", takesKey: true }
  },
  retention: {
    get: { method: "GET", path: "/api/organization/retention" },
    set: { method: "PUT", path: "/api/organization/retention", body: "json" }
  },
  devices: {
    list: { method: "GET", path: "/api/devices" },
    register: { method: "PUT", path: "/api/devices", body: "json" },
    remove: { method: "DELETE", path: "/api/devices/{id}" }
  },
  pushSettings: {
    get: { method: "GET", path: "/api/organization/push" },
    set: { method: "PUT", path: "/api/organization/push", body: "json" }
  },
  auditLog: {
    list: { method: "GET", path: "/api/audit-log", takesQuery: true, answer: "list" }
  },
  chats: {
    list: { method: "GET", path: "/api/messaging-api/chats", takesQuery: true, answer: "list" },
    counts: { method: "GET", path: "/api/messaging-api/chats/counts" },
    timeline: { method: "GET", path: "/api/messaging-api/chats/{conversationId}/timeline", takesQuery: true },
    get: { method: "GET", path: "/api/messaging-api/chats/{conversationId}", takesQuery: true },
    update: { method: "PATCH", path: "/api/messaging-api/chats/{conversationId}", body: "json" },
    messages: { method: "GET", path: "/api/messaging-api/chats/{conversationId}/messages", takesQuery: true, answer: "list" },
    presence: { method: "POST", path: "/api/messaging-api/chats/{conversationId}/presence", body: "json", takesKey: true },
    summarize: { method: "POST", path: "/api/messaging-api/chats/{conversationId}/summary", body: "json", takesKey: true }
  },
  messages: {
    list: { method: "GET", path: "/api/messaging-api/messages", takesQuery: true, answer: "list" },
    get: { method: "GET", path: "/api/messaging-api/messages/{id}" },
    send: { method: "POST", path: "/api/messaging-api/send", body: "json", takesKey: true }
  },
  templates: {
    list: { method: "GET", path: "/api/messaging-api/templates", takesQuery: true, answer: "list" },
    get: { method: "GET", path: "/api/messaging-api/templates/{id}" },
    sync: { method: "POST", path: "/api/messaging-api/templates/sync", takesKey: true }
  },
  conversationNotes: {
    list: { method: "GET", path: "/api/messaging-api/chats/{conversationId}/notes", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/messaging-api/chats/{conversationId}/notes", body: "json", takesKey: true },
    get: { method: "GET", path: "/api/messaging-api/chats/{conversationId}/notes/{id}" },
    update: { method: "PATCH", path: "/api/messaging-api/chats/{conversationId}/notes/{id}", body: "json" },
    remove: { method: "DELETE", path: "/api/messaging-api/chats/{conversationId}/notes/{id}" }
  },
  textAgents: {
    list: { method: "GET", path: "/api/ai-agents", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/ai-agents", body: "json", takesKey: true },
    get: { method: "GET", path: "/api/ai-agents/{id}" },
    update: { method: "PUT", path: "/api/ai-agents/{id}", body: "json" },
    remove: { method: "DELETE", path: "/api/ai-agents/{id}" },
    versions: { method: "GET", path: "/api/ai-agents/{id}/versions", takesQuery: true, answer: "list" },
    version: { method: "GET", path: "/api/ai-agents/{id}/versions/{version}" },
    restore: { method: "POST", path: "/api/ai-agents/{id}/versions/{version}/restore", takesKey: true },
    tryOut: { method: "POST", path: "/api/ai-agents/{id}/try", body: "json", takesKey: true }
  },
  evaluations: {
    list: { method: "GET", path: "/api/evaluations", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/evaluations", body: "json", takesKey: true },
    get: { method: "GET", path: "/api/evaluations/{id}" },
    update: { method: "PUT", path: "/api/evaluations/{id}", body: "json" },
    remove: { method: "DELETE", path: "/api/evaluations/{id}" },
    listRuns: { method: "GET", path: "/api/evaluations/{id}/runs", takesQuery: true, answer: "list" },
    start: { method: "POST", path: "/api/evaluations/{id}/runs", body: "json", takesKey: true },
    getRun: { method: "GET", path: "/api/evaluations/{id}/runs/{runId}" },
    removeRun: { method: "DELETE", path: "/api/evaluations/{id}/runs/{runId}" }
  },
  quickReplies: {
    list: { method: "GET", path: "/api/messaging-api/quick-replies", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/messaging-api/quick-replies", body: "json", takesKey: true },
    get: { method: "GET", path: "/api/messaging-api/quick-replies/{id}" },
    update: { method: "PATCH", path: "/api/messaging-api/quick-replies/{id}", body: "json" },
    remove: { method: "DELETE", path: "/api/messaging-api/quick-replies/{id}" }
  },
  events: {
    stream: { method: "GET", path: "/api/events", takesQuery: true, answer: "events" },
    watch: { method: "PUT", path: "/api/events/{streamId}/watch", body: "json" }
  },
  media: {
    upload: { method: "POST", path: "/api/messaging-api/media", body: "form", repeatable: true },
    uploadShort: { method: "POST", path: "/api/media/upload", body: "form", repeatable: true },
    list: { method: "GET", path: "/api/media", takesQuery: true, answer: "list" },
    remove: { method: "DELETE", path: "/api/media/{id}" },
    download: { method: "GET", path: "/api/media/{id}", takesQuery: true, answer: "file" },
    link: { method: "GET", path: "/api/media/{id}/link", takesQuery: true },
    open: { method: "GET", path: "/api/media/{id}/file", takesQuery: true, answer: "file" }
  },
  broadcasts: {
    list: { method: "GET", path: "/api/messaging-api/broadcasts", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/messaging-api/broadcasts", body: "json", takesKey: true },
    get: { method: "GET", path: "/api/messaging-api/broadcasts/{id}" },
    recipients: { method: "GET", path: "/api/messaging-api/broadcasts/{id}/recipients", takesQuery: true, answer: "list" },
    start: { method: "POST", path: "/api/messaging-api/broadcasts/{id}/start", takesKey: true },
    pause: { method: "POST", path: "/api/messaging-api/broadcasts/{id}/pause", takesKey: true },
    resume: { method: "POST", path: "/api/messaging-api/broadcasts/{id}/resume", takesKey: true },
    cancel: { method: "POST", path: "/api/messaging-api/broadcasts/{id}/cancel", takesKey: true }
  },
  webhooks: {
    list: { method: "GET", path: "/api/webhook-endpoints", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/webhook-endpoints", body: "json", takesKey: true },
    get: { method: "GET", path: "/api/webhook-endpoints/{id}" },
    update: { method: "PATCH", path: "/api/webhook-endpoints/{id}", body: "json" },
    remove: { method: "DELETE", path: "/api/webhook-endpoints/{id}" },
    rotateSecret: { method: "POST", path: "/api/webhook-endpoints/{id}/rotate-secret", body: "json", takesKey: true },
    test: { method: "POST", path: "/api/webhook-endpoints/{id}/test", takesKey: true },
    listDeliveries: { method: "GET", path: "/api/webhook-endpoints/{id}/deliveries", takesQuery: true, answer: "list" },
    getDelivery: { method: "GET", path: "/api/webhook-endpoints/{id}/deliveries/{deliveryId}" },
    resendDelivery: { method: "POST", path: "/api/webhook-endpoints/{id}/deliveries/{deliveryId}/resend", takesKey: true },
    replay: { method: "POST", path: "/api/webhook-endpoints/{id}/replay", body: "json", takesKey: true }
  },
  analytics: {
    get: { method: "GET", path: "/api/messaging-api/analytics", takesQuery: true }
  },
  companies: {
    list: { method: "GET", path: "/api/companies", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/companies", body: "json", takesKey: true },
    export: { method: "GET", path: "/api/companies/export", takesQuery: true, answer: "text" },
    import: { method: "POST", path: "/api/companies/import", body: "form", takesQuery: true, takesKey: true },
    get: { method: "GET", path: "/api/companies/{id}" },
    update: { method: "PATCH", path: "/api/companies/{id}", body: "json" },
    archive: { method: "POST", path: "/api/companies/{id}/archive", takesKey: true },
    restore: { method: "POST", path: "/api/companies/{id}/restore", takesKey: true }
  },
  products: {
    list: { method: "GET", path: "/api/products", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/products", body: "json", takesKey: true },
    export: { method: "GET", path: "/api/products/export", takesQuery: true, answer: "text" },
    import: { method: "POST", path: "/api/products/import", body: "form", takesQuery: true, takesKey: true },
    get: { method: "GET", path: "/api/products/{id}" },
    update: { method: "PATCH", path: "/api/products/{id}", body: "json" },
    archive: { method: "POST", path: "/api/products/{id}/archive", takesKey: true },
    restore: { method: "POST", path: "/api/products/{id}/restore", takesKey: true }
  },
  orders: {
    list: { method: "GET", path: "/api/orders", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/orders", body: "json", takesKey: true },
    export: { method: "GET", path: "/api/orders/export", takesQuery: true, answer: "text" },
    import: { method: "POST", path: "/api/orders/import", body: "form", takesQuery: true, takesKey: true },
    get: { method: "GET", path: "/api/orders/{id}" },
    update: { method: "PATCH", path: "/api/orders/{id}", body: "json" },
    archive: { method: "POST", path: "/api/orders/{id}/archive", takesKey: true },
    restore: { method: "POST", path: "/api/orders/{id}/restore", takesKey: true }
  },
  carts: {
    list: { method: "GET", path: "/api/carts", takesQuery: true, answer: "list" },
    summary: { method: "GET", path: "/api/carts/summary" }
  },
  suppliers: {
    list: { method: "GET", path: "/api/suppliers", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/suppliers", body: "json", takesKey: true },
    export: { method: "GET", path: "/api/suppliers/export", takesQuery: true, answer: "text" },
    import: { method: "POST", path: "/api/suppliers/import", body: "form", takesQuery: true, takesKey: true },
    get: { method: "GET", path: "/api/suppliers/{id}" },
    update: { method: "PATCH", path: "/api/suppliers/{id}", body: "json" },
    archive: { method: "POST", path: "/api/suppliers/{id}/archive", takesKey: true },
    restore: { method: "POST", path: "/api/suppliers/{id}/restore", takesKey: true }
  },
  customFields: {
    get: { method: "GET", path: "/api/custom-fields", takesQuery: true },
    define: { method: "PUT", path: "/api/custom-fields", body: "json" }
  },
  messagingConnection: {
    get: { method: "GET", path: "/api/messaging-connection" },
    set: { method: "PUT", path: "/api/messaging-connection", body: "json" },
    remove: { method: "DELETE", path: "/api/messaging-connection" }
  },
  imports: {
    contacts: { method: "POST", path: "/api/messaging-api/contacts/import", body: "form", takesQuery: true, takesKey: true },
    list: { method: "GET", path: "/api/messaging-api/imports", takesQuery: true, answer: "list" },
    get: { method: "GET", path: "/api/messaging-api/imports/{id}" },
    refused: { method: "GET", path: "/api/messaging-api/imports/{id}/refused", takesQuery: true, answer: "list" },
    report: { method: "GET", path: "/api/messaging-api/imports/{id}/report", answer: "text" },
    cancel: { method: "POST", path: "/api/messaging-api/imports/{id}/cancel", takesKey: true }
  },
  integrations: {
    list: { method: "GET", path: "/api/integrations" },
    get: { method: "GET", path: "/api/integrations/{provider}" },
    connect: { method: "PUT", path: "/api/integrations/{provider}", body: "json" },
    remove: { method: "DELETE", path: "/api/integrations/{provider}" },
    authorize: { method: "POST", path: "/api/integrations/{provider}/authorize", takesKey: true },
    test: { method: "POST", path: "/api/integrations/{provider}/test", takesKey: true },
    enable: { method: "POST", path: "/api/integrations/{provider}/enable", takesKey: true },
    disable: { method: "POST", path: "/api/integrations/{provider}/disable", takesKey: true },
    startBackfill: { method: "POST", path: "/api/integrations/{provider}/backfill/start", takesKey: true },
    stopBackfill: { method: "POST", path: "/api/integrations/{provider}/backfill/stop", takesKey: true },
    verification: { method: "GET", path: "/api/integrations/{provider}/verification" },
    fields: { method: "GET", path: "/api/integrations/{provider}/fields" },
    problems: { method: "GET", path: "/api/integrations/{provider}/problems", takesQuery: true, answer: "list" },
    replayAll: { method: "POST", path: "/api/integrations/{provider}/problems/replay", takesKey: true },
    replay: { method: "POST", path: "/api/integrations/{provider}/problems/{problemId}/replay", takesKey: true },
    sync: { method: "POST", path: "/api/integrations/{provider}/sync", takesKey: true },
    arrivals: { method: "GET", path: "/api/integrations/{provider}/arrivals", takesQuery: true, answer: "list" },
    replayArrivals: { method: "POST", path: "/api/integrations/{provider}/arrivals/replay", takesKey: true },
    replayArrival: { method: "POST", path: "/api/integrations/{provider}/arrivals/{arrivalId}/replay", takesKey: true },
    log: { method: "GET", path: "/api/integrations/{provider}/log", takesQuery: true, answer: "list" }
  },
  slack: {
    channels: { method: "GET", path: "/api/integrations/slack/channels", takesQuery: true },
    mappings: { method: "GET", path: "/api/integrations/slack/mappings" },
    replaceMappings: { method: "PUT", path: "/api/integrations/slack/mappings", body: "json" }
  },
  automation: {
    describe: { method: "GET", path: "/api/integrations/describe" },
    app: { method: "GET", path: "/api/integrations/app", takesQuery: true, answer: "file" }
  },
  hooks: {
    subscribe: { method: "POST", path: "/api/integrations/hooks", body: "json", takesKey: true },
    get: { method: "GET", path: "/api/integrations/hooks", takesQuery: true },
    unsubscribe: { method: "DELETE", path: "/api/integrations/hooks", takesQuery: true },
    samples: { method: "GET", path: "/api/integrations/hooks/samples/{event}" }
  },
  builtinTools: {
    list: { method: "GET", path: "/api/builtin-tools" }
  },
  mcpServers: {
    list: { method: "GET", path: "/api/mcp-servers" },
    create: { method: "POST", path: "/api/mcp-servers", body: "json", takesKey: true },
    get: { method: "GET", path: "/api/mcp-servers/{id}" },
    change: { method: "PUT", path: "/api/mcp-servers/{id}", body: "json" },
    remove: { method: "DELETE", path: "/api/mcp-servers/{id}" },
    test: { method: "POST", path: "/api/mcp-servers/{id}/test", takesKey: true },
    authorize: { method: "POST", path: "/api/mcp-servers/{id}/authorize", takesKey: true },
    approve: { method: "POST", path: "/api/mcp-servers/{id}/approve", body: "json", takesKey: true }
  },
  paymentLinks: {
    list: { method: "GET", path: "/api/payment-links", takesQuery: true, answer: "list" },
    create: { method: "POST", path: "/api/payment-links", body: "json", takesKey: true },
    get: { method: "GET", path: "/api/payment-links/{id}" },
    cancel: { method: "POST", path: "/api/payment-links/{id}/cancel", takesKey: true }
  },
  paymentSettings: {
    get: { method: "GET", path: "/api/payment-settings" },
    put: { method: "PUT", path: "/api/payment-settings", body: "json" }
  }
}
