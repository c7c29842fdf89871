/** What an organization sets up until its first call: each step with its state and where it is done. */
import { useQuery } from "@tanstack/react-query"
import { Link, useRouter } from "@tanstack/react-router"
import { ArrowRight, Circle, CircleCheck } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { usePeople } from "../../api/people.ts"
import { buttonClass } from "../../components/Button.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageHead } from "../../components/Page.tsx"
import { ErrorBlock, Skeleton } from "../../components/States.tsx"
import { phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { Today } from "./Today.tsx"

/** What is there of what the steps set up. */
export const useStart = (enabled = true) =>
  useQuery({
    queryKey: keys.start,
    enabled,
    queryFn: async ({ signal }) => {
      const one = { limit: 1 }
      const [organization, status, agents, numbers, hours, calls] = await Promise.all([
        parley.organization.get({ signal }),
        parley.status.get({ signal }),
        parley.voiceAgents.list(one, { signal }),
        parley.phoneNumbers.list(one, { signal }),
        parley.businessHours.get({ signal }),
        parley.calls.list(one, { signal })
      ])
      const voice = organization.features.find(({ id }) => id === "voiceAgents")
      return {
        name: organization.name,
        voiceRefusal: voice === undefined || voice.available ? null : voice.reason,
        messaging: status,
        agents: agents.total,
        number: numbers.data[0]?.phoneNumber ?? null,
        hasHours: hours.businessHours !== null,
        calls: calls.total
      }
    }
  })

interface Step {
  readonly title: string
  readonly detail: string
  readonly done: boolean
  /** Pages that do it, the first that there is. */
  readonly pages: ReadonlyArray<string>
  readonly action: string
}

/** A link to a page, if this version has it. */
const StepLink = ({ step: { pages, action, done } }: { readonly step: Step }) => {
  const router = useRouter()
  const known: ReadonlyArray<string> = Object.keys(router.routesByPath)
  const page = pages.find((one) => known.includes(one))
  if (page === undefined) return null
  return (
    <a
      href={page}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        router.history.push(page)
      }}
      className={buttonClass({ small: true, tone: done ? "quiet" : "primary" })}
    >
      {done ? t("Open it") : action} <Icon of={ArrowRight} size={14} className="rtl:rotate-180" />
    </a>
  )
}

export const Checklist = () => {
  const { data, error, refetch } = useStart()
  const people = usePeople().filter(({ who }) => who === "human")
  if (error !== null && data === undefined) return <ErrorBlock error={error} again={() => void refetch()} />
  if (data === undefined) return <Skeleton className="m-6 h-40 max-w-[720px]" />
  const steps: ReadonlyArray<Step> = [
    {
      title: t("Connect WhatsApp"),
      detail: data.messaging.connected
        ? (data.messaging.businessName ?? t("Connected."))
        : (data.messaging.problem ?? t("Messages of contacts then arrive in the inbox.")),
      done: data.messaging.connected,
      pages: ["/integrations"],
      action: t("Connect")
    },
    {
      title: t("Make a voice agent"),
      detail:
        data.voiceRefusal ?? t("It answers calls in its own words. A test call by the microphone shows how it sounds."),
      done: data.agents > 0,
      pages: data.voiceRefusal === null ? ["/agents"] : [],
      action: t("Make one")
    },
    {
      title: t("Give it a number"),
      detail: data.number === null ? t("Buy one here, or bring your own by SIP.") : phone(data.number),
      done: data.number !== null,
      pages: data.voiceRefusal === null ? ["/numbers"] : [],
      action: t("Choose a number")
    },
    {
      title: t("Say when you are open"),
      detail: t("Outside these hours callers can leave a message, or ask to be called back."),
      done: data.hasHours,
      pages: ["/settings/hours", "/hours"],
      action: t("Set the hours")
    },
    {
      title: t("Invite colleagues"),
      detail:
        people.length > 1
          ? t("{count, plural, one {# person is here.} other {# people are here.}}", { count: people.length })
          : t("You are alone here so far."),
      done: people.length > 1,
      pages: ["/settings/team", "/team"],
      action: t("Invite")
    },
    {
      title: t("Take the first call"),
      detail: data.number === null ? t("It ends this list.") : t("Call {number}.", { number: phone(data.number) }),
      done: data.calls > 0,
      pages: ["/live", "/calls"],
      action: t("See calls")
    }
  ]
  const done = steps.filter((step) => step.done).length
  return (
    <>
      <PageHead
        title={t("Start")}
        beside={<span className="num text-ink-3">{t("{done} of {total}", { done, total: steps.length })}</span>}
      >
        <Link to="/inbox" className={buttonClass({ small: true })}>
          {t("To the inbox")}
        </Link>
      </PageHead>
      <div className="scroll-thin flex-1 overflow-y-auto p-4 md:p-6">
        <div className="mx-auto max-w-[720px]">
          <h2 className="mb-4 text-figure font-semibold tracking-tight">
            {t("{name} is ready in a few steps.", { name: data.name })}
          </h2>
          <ol className="rounded-card border border-line bg-surface">
            {steps.map((step) => (
              <li
                key={step.title}
                className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-3 first:border-0"
              >
                <Icon
                  of={step.done ? CircleCheck : Circle}
                  size={20}
                  className={step.done ? "text-good" : "text-ink-3"}
                />
                <div className="min-w-0 flex-1 basis-52">
                  <h3 className="font-medium">
                    {step.title}
                    <span className="sr-only"> · {step.done ? t("done") : t("to do")}</span>
                  </h3>
                  <p dir="auto" className="text-ink-3">
                    {step.detail}
                  </p>
                </div>
                <StepLink step={step} />
              </li>
            ))}
          </ol>
          <Today />
        </div>
      </div>
    </>
  )
}
