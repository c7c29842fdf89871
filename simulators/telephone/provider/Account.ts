/** An account of the simulated provider, as its customer knows it. */

export interface Account {
  readonly accountSid: string
  readonly authToken: string
  /** Voice URL exactly as configured at the provider. */
  readonly webhookUrl: string
  /** Asked when a webhook of the account gives no usable answer. */
  readonly fallbackUrl?: string | undefined
}
