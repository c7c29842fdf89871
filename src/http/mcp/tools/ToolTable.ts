/** All tools, in the order in which they are listed. */
import { Effect } from "effect"
import { createContact } from "./createContact.ts"
import { createPaymentLink } from "./createPaymentLink.ts"
import { getAnalytics } from "./getAnalytics.ts"
import { getCall } from "./getCall.ts"
import { getContact } from "./getContact.ts"
import { getConversation } from "./getConversation.ts"
import { getOrder } from "./getOrder.ts"
import { listAiAgents } from "./listAiAgents.ts"
import { listCalls } from "./listCalls.ts"
import { listCompanies } from "./listCompanies.ts"
import { listContacts } from "./listContacts.ts"
import { listConversations } from "./listConversations.ts"
import { listOrders } from "./listOrders.ts"
import { listProducts } from "./listProducts.ts"
import { listQuickReplies } from "./listQuickReplies.ts"
import { listTemplates } from "./listTemplates.ts"
import { listVoiceAgents } from "./listVoiceAgents.ts"
import { placeCall } from "./placeCall.ts"
import { sendBroadcast } from "./sendBroadcast.ts"
import { sendMessage } from "./sendMessage.ts"

/** Needs the services of the use cases. */
export const makeToolTable = Effect.all([
  listContacts,
  getContact,
  createContact,
  listConversations,
  getConversation,
  sendMessage,
  listTemplates,
  sendBroadcast,
  listQuickReplies,
  getAnalytics,
  listVoiceAgents,
  listCalls,
  getCall,
  placeCall,
  listAiAgents,
  listOrders,
  getOrder,
  listProducts,
  listCompanies,
  createPaymentLink
])
