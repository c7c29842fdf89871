/** Start, oneself, and everything about people and messages. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { signedIn } from "./root.tsx"
import { defined, oneOf, text, words } from "./search.ts"

const startRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  component: lazyRouteComponent(() => import("../routes/Start.tsx"))
})

const youRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/you",
  component: lazyRouteComponent(() => import("../routes/You.tsx"))
})

const views = ["mine", "unassigned", "unread", "overdue", "snoozed", "resolved"] as const

interface InboxSearch {
  readonly view?: (typeof views)[number]
  readonly c?: string
  readonly channel?: "messaging" | "voice" | "team_chat"
  readonly label?: string
  readonly assignee?: string
  readonly search?: string
}

const inboxRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/inbox",
  validateSearch: (search): InboxSearch =>
    defined({
      view: oneOf(views, search.view),
      c: text(search.c),
      channel: oneOf(["messaging", "voice", "team_chat"] as const, search.channel),
      label: text(search.label),
      assignee: text(search.assignee),
      search: words(search.search)
    }),
  component: lazyRouteComponent(() => import("../routes/Inbox.tsx"))
})

interface ContactsSearch {
  readonly search?: string
  readonly tag?: string
  readonly archived?: boolean
  readonly sort?: "createdAt" | "name" | "-name" | "-lastSeenAt" | "lastSeenAt"
}

const contactsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/contacts",
  validateSearch: (search): ContactsSearch =>
    defined({
      search: words(search.search),
      tag: text(search.tag),
      archived: search.archived === true ? true : undefined,
      sort: oneOf(["createdAt", "name", "-name", "-lastSeenAt", "lastSeenAt"] as const, search.sort)
    }),
  component: lazyRouteComponent(() => import("../routes/Contacts.tsx"))
})

const contactRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/contacts/$id",
  component: lazyRouteComponent(() => import("../routes/Contact.tsx"))
})

const templatesRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/templates",
  validateSearch: (search): { search?: string; open?: string } =>
    defined({ search: words(search.search), open: text(search.open) }),
  component: lazyRouteComponent(() => import("../routes/Templates.tsx"))
})

const quickRepliesRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/quick-replies",
  validateSearch: (search): { search?: string } => defined({ search: words(search.search) }),
  component: lazyRouteComponent(() => import("../routes/QuickReplies.tsx"))
})

const broadcastStates = ["draft", "scheduled", "running", "paused", "completed", "cancelled", "failed"] as const

const broadcastsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/broadcasts",
  validateSearch: (search): { status?: (typeof broadcastStates)[number] } =>
    defined({ status: oneOf(broadcastStates, search.status) }),
  component: lazyRouteComponent(() => import("../routes/Broadcasts.tsx"))
})

const recipientStates = ["queued", "sent", "delivered", "read", "failed", "skipped"] as const

const broadcastRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/broadcasts/$id",
  validateSearch: (search): { status?: (typeof recipientStates)[number] } =>
    defined({ status: oneOf(recipientStates, search.status) }),
  component: lazyRouteComponent(() => import("../routes/Broadcast.tsx"))
})

export const peopleRoutes = [
  startRoute,
  youRoute,
  inboxRoute,
  contactsRoute,
  contactRoute,
  templatesRoute,
  quickRepliesRoute,
  broadcastsRoute,
  broadcastRoute
] as const
