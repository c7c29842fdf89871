/** One tool: what the model is told of it, and what runs it. */
import { Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Input, Select, TextArea } from "../../components/Field.tsx"
import { HeaderRows } from "../../components/HeaderRows.tsx"
import { NumberField } from "../../components/NumberField.tsx"
import { Switch } from "../../components/Switch.tsx"
import { t } from "../../lib/i18n.ts"
import type { Tool } from "./draft.ts"
import { type AgentKind, RunsIt } from "./RunsIt.tsx"
import { type Parameter, parametersOf, types, withParameters } from "./tools.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

const Parameters = ({ tool, onChange }: { readonly tool: Tool; readonly onChange: (tool: Tool) => void }) => {
  // Two rows may have one name while it is typed; the tool has the last of them.
  const [rows, setRows] = useState(() => parametersOf(tool))
  const change = (next: ReadonlyArray<Parameter>) => {
    setRows(next)
    onChange(withParameters(tool, next))
  }
  const set = (at: number, changes: Partial<Parameter>) => {
    const row = rows[at]
    if (row !== undefined) change(rows.with(at, { ...row, ...changes }))
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-small font-medium text-ink-2">{t("What it is asked with")}</legend>
      {rows.map((row, at) => (
        <div
          key={at}
          className="grid grid-cols-2 items-end gap-2 rounded-lg bg-sunken p-2 md:grid-cols-[1fr_110px_2fr]"
        >
          <Input
            label={t("Name")}
            maxLength={64}
            value={row.name}
            onChange={(event) => set(at, { name: event.target.value })}
          />
          <Select
            label={t("Kind")}
            value={row.type}
            options={types.map((type) => [type, type])}
            onChange={(event) => set(at, { type: event.target.value })}
          />
          <div className="col-span-2 md:col-span-1">
            <Input
              label={t("Meaning")}
              maxLength={1_000}
              dir="auto"
              value={row.description}
              onChange={(event) => set(at, { description: event.target.value })}
            />
          </div>
          <div className="col-span-2">
            <Input
              label={t("Only these values")}
              placeholder={t("any; or a list with commas")}
              value={row.choices}
              onChange={(event) => set(at, { choices: event.target.value })}
            />
          </div>
          <div className="col-span-2 flex items-center justify-between gap-2 md:col-span-1">
            <label className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={row.required}
                onChange={(event) => set(at, { required: event.target.checked })}
              />
              {t("required")}
            </label>
            <Button
              small
              tone="quiet"
              icon={Trash2}
              label={t("Remove {name}", { name: row.name })}
              onClick={() => change(rows.toSpliced(at, 1))}
            />
          </div>
        </div>
      ))}
      <Button
        small
        tone="quiet"
        icon={Plus}
        className="self-start"
        onClick={() =>
          change([
            ...rows,
            { name: `value_${rows.length + 1}`, type: "string", description: "", required: true, choices: "" }
          ])
        }
      >
        {t("Add a value")}
      </Button>
    </fieldset>
  )
}

/** Methods whose requests may be sent twice without asking anybody (RFC 9110, 9.2.2). */
const repeatable: ReadonlySet<string> = new Set(["GET", "PUT", "DELETE"])

export const ToolEditor = ({
  tool,
  others,
  kind,
  onChange
}: {
  readonly tool: Tool
  /** The names of the agent's other tools. */
  readonly others: ReadonlyArray<string>
  readonly kind: AgentKind
  readonly onChange: (tool: Tool) => void
}) => {
  const { handler } = tool
  const runs = handler === undefined ? undefined : JSON.stringify([handler.type, "name" in handler && handler.name])
  return (
    <>
      <div className="grid items-start gap-3.5 md:grid-cols-2">
        <Input
          label={t("Name")}
          maxLength={64}
          pattern="[a-zA-Z0-9_\-]{1,64}"
          value={tool.name}
          problem={/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name) ? undefined : t("Letters, digits, _ and - only.")}
          onChange={(event) => onChange({ ...tool, name: event.target.value })}
        />
        <RunsIt tool={tool} others={others} kind={kind} onChange={onChange} />
      </div>
      <TextArea
        label={t("What it is for")}
        hint={t("By this the agent decides when to use it.")}
        rows={2}
        maxLength={2_000}
        dir="auto"
        value={tool.description}
        onChange={(event) => onChange({ ...tool, description: event.target.value })}
      />
      {handler?.type !== "mcp" && <Parameters key={runs} tool={tool} onChange={onChange} />}
      {handler?.type === "http" && (
        <>
          <div className="grid grid-cols-[100px_minmax(0,1fr)] gap-2">
            <Select
              label={t("Method")}
              value={handler.method}
              options={methods.map((method) => [method, method])}
              onChange={(event) => {
                const method = methods.find((one) => one === event.target.value)
                if (method !== undefined) onChange({ ...tool, handler: { ...handler, method } })
              }}
            />
            <Input
              label={t("Address")}
              type="url"
              dir="ltr"
              maxLength={2_000}
              value={handler.url}
              onChange={(event) => onChange({ ...tool, handler: { ...handler, url: event.target.value } })}
            />
          </div>
          <HeaderRows
            headers={handler.headers ?? {}}
            onChange={(headers) => onChange({ ...tool, handler: { ...handler, headers } })}
          />
          <NumberField
            label={t("Waits at most, ms")}
            min={100}
            max={15_000}
            value={handler.timeoutMs ?? 8_000}
            onChange={(timeoutMs) => onChange({ ...tool, handler: { ...handler, timeoutMs } })}
          />
          {!repeatable.has(handler.method) && (
            <Switch
              label={t("May be asked twice")}
              detail={t(
                "your server does the work of two requests with the same Idempotency-Key once; then a run that broke off is repeated"
              )}
              checked={handler.idempotent === true}
              onChange={(on) => {
                const { idempotent: _, ...rest } = handler
                onChange({ ...tool, handler: on ? { ...rest, idempotent: true } : rest })
              }}
            />
          )}
        </>
      )}
      <Switch
        label={t("Stops when the caller interrupts")}
        detail={t("otherwise it runs to its end")}
        checked={tool.onInterruption === "cancel"}
        onChange={(on) => onChange({ ...tool, onInterruption: on ? "cancel" : "keep" })}
      />
    </>
  )
}
