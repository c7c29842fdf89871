/** The description of each group of routes: the chapters of `/openapi.json` and `/docs`. */
const chapters: Readonly<Record<string, string>> = {
  voiceAgents: "Agents that answer and place calls: their settings, their calls, their line of waiting callers.",
  voices: "The voices and languages there are.",
  calls: "One call: transcript, tool calls, latencies, cost, recording.",
  voiceUsage: "Minutes, allowance and cost of calls.",
  aiUsage: "AI tokens of text agents, and the allowance.",
  toolAudit: "What agents' tools were asked and answered.",
  knowledgeBases: "What agents can look things up in.",
  knowledgeSources: "What a knowledge base is made of: files, web pages, questions with answers.",
  organization: "The organization, what its plan allows, and the names of its people and agents.",
  businessHours: "When calls are answered and placed.",
  disclosure: "What every caller hears first.",
  voiceConsents: "Consent to be called, with its evidence.",
  status: "Whether the messaging channel is connected.",
  contacts: "The people an organization talks with.",
  messagingConsents: "Consent to messages, with its evidence.",
  phoneNumbers: "Numbers: searched, bought, connected, assigned, released.",
  sipCredentials: "What an external carrier signs in with.",
  apiKeys: "Keys for programs.",
  session: "Signing in and out, for people.",
  sessions: "Where a person is signed in.",
  setup: "The first organization of an installation.",
  users: "The people of the organization and what they may do.",
  devices: "Devices that are told what happens.",
  pushSettings: "What devices are shown.",
  auditLog: "Who changed what, from where.",
  chats: "Conversations of every channel.",
  conversationNotes: "What people note in a conversation for each other.",
  textAgents: "Agents that answer messages: their prompts, tools and limits.",
  evaluations: "Conversations that are played with text agents, and what came of each run.",
  messages: "Sending messages, and messages across conversations.",
  templates: "Message templates of the channel.",
  quickReplies: "Texts people send often.",
  broadcasts: "One template to many contacts.",
  companies: "The firms, schools and clubs that contacts belong to.",
  products: "What the organization sells.",
  orders: "What contacts and companies have bought.",
  carts: "What customers of a store have left in carts, and what became of it.",
  paymentLinks: "Amounts that somebody is asked for, with the link where each is paid.",
  paymentSettings: "By which provider payments are asked for. Set up in the dashboard; these routes may change.",
  suppliers: "Who the organization buys from.",
  customFields: "The organization's own fields of companies, products, orders and suppliers.",
  analytics: "Volumes, response times, calls.",
  slaPolicy: "How soon conversations shall be answered.",
  retention: "How long things are kept.",
  imports: "Many records from one file.",
  contactExports: "All that is known of a contact, in one file.",
  events: "What happens, as it happens.",
  webhooks: "What happens, posted to addresses of the customer.",
  media: "Files of messages, and links to them for those without a key.",
  callbacks: "From the engine: tools and events of calls. Signed with the engine's secret.",
  telephony: "From the telephony provider. Signed by it.",
  messagingConnection: "The organization's account at the messaging channel.",
  mcpServers: "External MCP servers, whose tools agents call. Set up in the dashboard; these routes may change.",
  messagingWebhooks: "From the messaging channel. Signed by it.",
  automation: "For those who build apps for automation tools.",
  hooks: "Automation tools subscribe to events.",
  appWebhooks: "Where integrations tell us of what happens there, signed by them.",
  integrations: "CRMs and other services that are told what happens. Set up in the dashboard; these routes may change.",
  slack: "Who answers in which channel of a Slack workspace. Set up in the dashboard; these routes may change.",
  slackEvents: "From Slack. Signed by it.",
  engine: "From the app to the engine. Signed with the engine's secret."
}

interface Tag {
  readonly name: string
}

/** Adds the chapters to an OpenAPI document, each once. A group that is not listed gets no description. */
export const withChapters = <Document extends { readonly tags?: ReadonlyArray<Tag> }>(document: Document) => ({
  ...document,
  tags: [
    ...new Map((document.tags ?? []).map((tag) => [tag.name, { ...tag, description: chapters[tag.name] }])).values()
  ]
})
