/** The page of an agent's settings: one of their sections, what is not saved, and a panel in which it is tried. Voice agents and text agents have it. */
import { type ReactNode, useState } from "react"
import { Dialog } from "../../components/Dialog.tsx"
import { useTitle } from "../../components/Page.tsx"
import { SaveBar } from "../../components/SaveBar.tsx"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import type { SettingForm } from "../../lib/settingForm.ts"
import { Differences } from "./Compare.tsx"
import { Conflict } from "./Conflict.tsx"
import { LeaveGuard } from "./LeaveGuard.tsx"
import type { DraftKind, Saved, SettingDraft, TitledSettings } from "./useSettingDraft.ts"

/** What the head of the page shows and does. */
export interface EditorHead {
  readonly trying: boolean
  readonly onTry: () => void
  readonly onRemove: () => void
}

export const SettingEditor = <Agent extends Saved, Settings extends TitledSettings>({
  of: { rules, settingsOf },
  nameOf,
  form,
  provider: Provider,
  section,
  mayWrite,
  address,
  goesOn,
  head,
  links,
  panel,
  removal,
  children
}: {
  readonly of: Pick<DraftKind<Agent, Settings>, "rules" | "settingsOf">
  /** What a setting is called on the page. */
  readonly nameOf: (name: keyof Settings) => string
  readonly form: SettingDraft<Agent, Settings>
  readonly provider: (props: {
    readonly value: SettingForm<Agent, Settings>
    readonly children: ReactNode
  }) => ReactNode
  /** The section that is shown, and what it is called. */
  readonly section: { readonly id: string; readonly name: string }
  readonly mayWrite: boolean
  /** How the addresses of its sections begin. */
  readonly address: string
  /** What goes on as it is saved, while something is not. */
  readonly goesOn: string
  readonly head: (head: EditorHead) => ReactNode
  readonly links: ReactNode
  /** Tries the agent with changes that are not saved. */
  readonly panel: (changes: Partial<Settings>, onClose: () => void) => ReactNode
  readonly removal: (onClose: () => void) => ReactNode
  /** The section. */
  readonly children: ReactNode
}) => {
  const { draft, before, changed, problem } = form
  const [opened, setOpened] = useState<"compare" | "remove">()
  const [trying, setTrying] = useState(false)
  const close = () => setOpened(undefined)
  useTitle(draft.name)
  useKeys({ "Mod+s": () => void form.save() })
  const asked = rules.settingOf(problem)
  return (
    <Provider
      value={{
        agent: form.base,
        draft,
        set: form.set,
        changed: new Set(changed),
        problemOf: (name) => (asked === name ? problem : undefined)
      }}
    >
      {head({ trying, onTry: () => setTrying(!trying), onRemove: () => setOpened("remove") })}
      <div className="flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <div className="flex min-h-0 flex-1 flex-col md:flex-row">
            {links}
            <section
              key={section.id}
              aria-label={section.name}
              className="scroll-thin min-h-0 flex-1 overflow-y-auto px-4 py-4"
            >
              <fieldset
                // A version may be looked at by who may not change anything.
                disabled={!mayWrite && section.id !== "versions"}
                className="mx-auto flex max-w-[720px] flex-col gap-3"
              >
                {!mayWrite && <p className="text-ink-3">{t("You may look, but not change.")}</p>}
                {children}
              </fieldset>
            </section>
          </div>
          <SaveBar
            names={changed.map(nameOf)}
            problem={problem}
            busy={form.busy}
            onUndo={form.undo}
            onCompare={() => setOpened("compare")}
            onSave={form.save}
          />
        </div>
        {trying && panel(rules.changesOf(before, draft), () => setTrying(false))}
      </div>
      {opened === "compare" && (
        <Dialog title={t("What you have changed")} onClose={close}>
          <Differences rules={rules} nameOf={nameOf} before={before} after={draft} />
        </Dialog>
      )}
      {opened === "remove" && removal(close)}
      {form.met !== undefined && (
        <Conflict
          rules={rules}
          nameOf={nameOf}
          sentence={form.met.sentence}
          before={before}
          theirs={settingsOf(form.met.theirs)}
          mine={draft}
          onClose={form.leaveOpen}
          onChosen={form.settle}
        />
      )}
      <LeaveGuard stays={address} dirty={form.isDirty} kept onForget={form.undo}>
        {goesOn}
      </LeaveGuard>
    </Provider>
  )
}
