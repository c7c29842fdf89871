/** The client of the Parley interface. */
export * from "./Errors.ts"
export type { EventGap, EventStream } from "./EventStream.ts"
export type { FileInput, ReceivedFile } from "./Files.ts"
export { Parley } from "./generated/Parley.ts"
export type * from "./generated/types.ts"
export type { Answered, ParleyOptions, RequestOptions, StreamOptions } from "./Options.ts"
export type { Listed, Page } from "./Pages.ts"
export { type VerifyOptions, verifyWebhook, type Webhook, type WebhookHeaders } from "./Webhooks.ts"
