/** The transaction of an organization that the fiber runs in, if it runs in one (`Tenant.ts`). */
import { Context } from "effect"

interface Transaction {
  readonly organizationId: string
  /** A failure of any part rolls back the whole transaction, so parts need no savepoint, which would cost two round trips. */
  readonly isOne: boolean
  /** A part of it has failed. */
  broken: boolean
  /** Readers of events must be woken after the commit. */
  tellsEvents: boolean
}

/** The surrounding `tenant`. It detects a nested one of another organization, and holds what must happen at the end. */
export class CurrentTenant extends Context.Service<CurrentTenant, Transaction>()("parley/integrations/CurrentTenant") {}
