/** How many organizations may use the flags that they have: staging first, then more and more of production. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { keys } from "../../api/keys.ts"
import { operator } from "../../api/operator.ts"
import type { FlagGate, FlagGateReachStaging } from "../../api/operators/types.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Loaded } from "../../components/Loaded.tsx"
import { NumberField } from "../../components/NumberField.tsx"
import { PageBody, PageHead } from "../../components/Page.tsx"
import { moment, number, percent } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { say } from "../../lib/toasts.ts"
import { ReasonDialog } from "./ReasonDialog.tsx"
import { flagLabels, stageNames } from "./words.ts"

const stages = ["staging", "production"] as const
type Stage = (typeof stages)[number]

const GateDialog = ({ gate, onClose }: { readonly gate: FlagGate; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const [open, setOpen] = useState({ staging: gate.staging, production: gate.production })
  const name = t(flagLabels[gate.flag])
  const closes = stages.some((stage) => open[stage] < gate[stage])
  return (
    <ReasonDialog
      title={t("Gate of {flag}", { flag: name })}
      action={t("Set the gate")}
      danger={closes}
      onClose={onClose}
      onConfirm={async (reason) => {
        const { data } = await operator.operatorFlags.set(gate.flag, { ...open, reason })
        client.setQueryData(keys.flagGates, data)
        void client.invalidateQueries({ queryKey: keys.allOperated })
        void client.invalidateQueries({ queryKey: keys.allInstallationEvents })
        say(t("Saved."))
      }}
    >
      <p>
        {closes
          ? t(
              "Fewer organizations may use the flag, at once. Their own flags stay, so it comes back when the gate opens."
            )
          : t("More organizations may use the flag if they have it, from their next call on.")}
      </p>
      {stages.map((stage) => (
        <NumberField
          key={stage}
          label={t("{stage}: percent of organizations", { stage: t(stageNames[stage]) })}
          min={0}
          max={100}
          step={1}
          value={open[stage]}
          onChange={(value) => setOpen({ ...open, [stage]: Math.round(value) })}
        />
      ))}
    </ReasonDialog>
  )
}

const Reach = ({
  stage,
  share,
  reach
}: {
  readonly stage: Stage
  readonly share: number
  readonly reach: FlagGateReachStaging
}) => (
  <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-t border-line pt-2.5">
    <span className="basis-24 font-medium">{t(stageNames[stage])}</span>
    <span className="num basis-14 text-title font-semibold">{percent(share / 100)}</span>
    <span className="num min-w-0 flex-1 basis-56 text-small text-ink-2">
      {t("{inForce} of {having} that have it may use it; {all} organizations in all", {
        inForce: number(reach.inForce),
        having: number(reach.having),
        all: number(reach.organizations)
      })}
    </span>
  </div>
)

export const FlagGates = () => {
  const gates = useQuery({
    queryKey: keys.flagGates,
    queryFn: ({ signal }) => operator.operatorFlags.list({ signal }).then(({ data }) => data),
    staleTime: 0
  })
  const [asked, setAsked] = useState<FlagGate>()
  return (
    <>
      <PageHead title={t("Flags")} />
      <PageBody>
        <p className="text-ink-2">
          {t(
            "An organization may use a flag that it has while the gate of its stage lets it through. A gate that opens further keeps those that it has let through."
          )}
        </p>
        <Loaded query={gates}>
          {(all) =>
            all.map((gate) => (
              <Card
                key={gate.flag}
                title={t(flagLabels[gate.flag])}
                beside={
                  <Button small onClick={() => setAsked(gate)}>
                    {t("Change the gate")}
                  </Button>
                }
              >
                {stages.map((stage) => (
                  <Reach key={stage} stage={stage} share={gate[stage]} reach={gate.reach[stage]} />
                ))}
                <p className="text-small text-ink-3">
                  {gate.updatedAt === null
                    ? t("Never changed.")
                    : t("Changed {when}", { when: moment(gate.updatedAt) })}
                </p>
              </Card>
            ))
          }
        </Loaded>
      </PageBody>
      {asked !== undefined && <GateDialog gate={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
