/** The telephone numbers: which agent answers each, buying one, giving one back. */
import type { PhoneNumber } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input } from "../../components/Field.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Empty, ErrorBlock, Skeleton } from "../../components/States.tsx"
import { can, isAdmin } from "../../lib/can.ts"
import { phone } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { useSubmit } from "../../lib/submit.ts"
import { useTask } from "../../lib/task.ts"
import { say } from "../../lib/toasts.ts"
import { useAgentList } from "../agents/useAgents.ts"
import { AddNumber } from "./AddNumber.tsx"
import { useNumbers } from "./useNumbers.ts"

const origins: Readonly<Record<PhoneNumber["origin"], string>> = {
  purchased: message("bought"),
  connected: message("connected"),
  sip: message("own carrier (SIP)")
}

/** Giving a number back cannot be undone: one types it. */
const Release = ({ number, onClose }: { readonly number: PhoneNumber; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const [typed, setTyped] = useState("")
  const same = typed.replace(/[^\d+]/g, "") === number.phoneNumber
  const { busy, problem, submit } = useSubmit(async () => {
    if (!same) return
    await parley.phoneNumbers.release(number.id)
    void client.invalidateQueries({ queryKey: keys.numbers })
    void client.invalidateQueries({ queryKey: keys.voiceAgents })
    onClose()
    say(t("{number} is released.", { number: phone(number.phoneNumber) }))
  })
  return (
    <Dialog title={t("Release {number}?", { number: phone(number.phoneNumber) })} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <p>{t("The provider has it back. Somebody else may get it, and you may not get it again.")}</p>
        <Input
          label={t("Type the number to release it")}
          autoFocus
          autoComplete="off"
          value={typed}
          problem={problem}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button tone="danger" type="submit" className="self-end" disabled={!same || busy}>
          {t("Release for good")}
        </Button>
      </form>
    </Dialog>
  )
}

const Row = ({ number, onRelease }: { readonly number: PhoneNumber; readonly onRelease: () => void }) => {
  const session = useSession()
  const client = useQueryClient()
  const agents = useAgentList().data ?? []
  const { busy, run } = useTask()
  const { id, phoneNumber, origin, state, agentId } = number
  const mayWrite = can(session, "voice:write")
  const assign = (next: string | null) =>
    run(async () => {
      const changed = await parley.phoneNumbers.assign(id, { agentId: next })
      client.setQueryData<ReadonlyArray<PhoneNumber>>(keys.numbers, (all) =>
        all?.map((one) =>
          one.id === id ? changed : one.agentId === next && next !== null ? { ...one, agentId: null } : one
        )
      )
      void client.invalidateQueries({ queryKey: keys.allVoiceAgents })
      if (agentId !== next) say(t("Saved."), { label: t("Undo"), run: () => assign(agentId) })
    })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 not-last:border-b not-last:border-line">
      <span className="min-w-0 flex-1 basis-44">
        <b className="num block font-semibold">{phone(phoneNumber)}</b>
        <span className="text-small text-ink-3">{t(origins[origin])}</span>
      </span>
      {state !== "active" && <Chip tone="warn">{state === "pending" ? t("being bought") : t("being released")}</Chip>}
      <label className="flex items-center gap-2">
        <span className="text-small text-ink-3">{t("answered by")}</span>
        <select
          className="h-8 max-w-48 rounded-control border border-line-strong bg-surface px-2 pointer-coarse:h-11"
          value={agentId ?? ""}
          disabled={!mayWrite || busy}
          onChange={(event) => assign(event.target.value === "" ? null : event.target.value)}
        >
          <option value="">{t("nobody")}</option>
          {agentId !== null && agents.every((agent) => agent.id !== agentId) && (
            // Its name has not come yet: meanwhile it must not say that nobody answers.
            <option value={agentId}>{t("an agent")}</option>
          )}
          {agents.map((agent) => (
            <option key={agent.id} value={agent.id}>
              {agent.name}
            </option>
          ))}
        </select>
      </label>
      {mayWrite && (
        <Button
          small
          tone="quiet"
          icon={Trash2}
          label={t("Release {number}", { number: phone(phoneNumber) })}
          onClick={onRelease}
        />
      )}
    </li>
  )
}

export const NumberList = () => {
  const session = useSession()
  const { data, error, refetch } = useNumbers()
  const [adding, setAdding] = useState(false)
  const [releasing, setReleasing] = useState<PhoneNumber>()
  const mayWrite = can(session, "voice:write")
  useKeys({ n: () => mayWrite && setAdding(true) })
  const add = mayWrite && (
    <Button tone="primary" icon={Plus} keys="N" onClick={() => setAdding(true)}>
      {t("Add a number")}
    </Button>
  )
  return (
    <>
      <PageHead title={t("Numbers")}>
        {isAdmin(session) && (
          <Link to="/numbers/sip" className={buttonClass({})}>
            {t("Own carrier (SIP)")}
          </Link>
        )}
        {add}
      </PageHead>
      <div className="scroll-thin flex-1 overflow-y-auto p-4 md:p-6">
        {error !== null && data === undefined ? (
          <ErrorBlock error={error} again={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton className="mx-auto h-24 max-w-[860px]" />
        ) : data.length === 0 ? (
          <Empty title={t("No numbers yet.")} action={add || undefined}>
            {t("Buy one here, take over one that you have, or connect your own carrier.")}
          </Empty>
        ) : (
          <ul className="mx-auto max-w-[860px] rounded-card border border-line bg-surface">
            {data.map((number) => (
              <Row key={number.id} number={number} onRelease={() => setReleasing(number)} />
            ))}
          </ul>
        )}
      </div>
      {adding && <AddNumber onClose={() => setAdding(false)} />}
      {releasing !== undefined && <Release number={releasing} onClose={() => setReleasing(undefined)} />}
    </>
  )
}
