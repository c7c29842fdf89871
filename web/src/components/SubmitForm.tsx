/** The fields of a dialog or a card, why the last attempt failed, and the button that sends them (`lib/submit.ts`). */
import type { FormEvent, ReactNode } from "react"
import { Button } from "./Button.tsx"
import { Problem } from "./States.tsx"

export const SubmitForm = ({
  submit,
  busy,
  problem,
  action,
  incomplete = false,
  children
}: {
  readonly submit: (event: FormEvent) => void
  readonly busy: boolean
  /** As a sentence; undefined when there is none, or a field shows it. */
  readonly problem: string | undefined
  /** What the button says. */
  readonly action: string
  /** Something is missing, so it cannot be sent. */
  readonly incomplete?: boolean
  readonly children: ReactNode
}) => (
  <form onSubmit={submit} className="flex flex-col gap-3.5">
    {children}
    <Problem>{problem}</Problem>
    <Button tone="primary" type="submit" className="self-end" disabled={busy || incomplete}>
      {action}
    </Button>
  </form>
)
