/** The lines of an order. What is left out, a product with this article number gives. */
import { Plus, Trash2 } from "lucide-react"
import { Button } from "../../components/Button.tsx"
import { Input } from "../../components/Field.tsx"
import { t } from "../../lib/i18n.ts"
import { emptyLine, type Line } from "./draft.ts"

export const LinesField = ({
  label,
  lines,
  onChange
}: {
  readonly label: string
  readonly lines: ReadonlyArray<Line>
  readonly onChange: (lines: ReadonlyArray<Line>) => void
}) => {
  const set = (at: number, changes: Partial<Line>) => onChange(lines.with(at, { ...lines[at], ...changes } as Line))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-small font-medium text-ink-2">{label}</legend>
      {lines.map((line, at) => (
        <div
          key={at}
          className="grid grid-cols-2 items-end gap-2 border-line not-last:border-b not-last:pb-3 md:grid-cols-[2fr_1fr_64px_1fr_1fr_auto]"
        >
          <Input
            label={t("Name")}
            dir="auto"
            maxLength={200}
            required={line.sku === "" && line.productId === null}
            value={line.name}
            onChange={(event) => set(at, { name: event.target.value })}
          />
          <Input
            label={t("Article number")}
            maxLength={100}
            value={line.sku}
            onChange={(event) => set(at, { sku: event.target.value, productId: null })}
          />
          <Input
            label={t("Pieces")}
            inputMode="numeric"
            pattern="[1-9][0-9]*"
            required
            value={line.quantity}
            onChange={(event) => set(at, { quantity: event.target.value })}
          />
          <Input
            label={t("Price of one")}
            inputMode="decimal"
            pattern="[0-9]+([.,][0-9]+)?"
            value={line.unitPrice}
            onChange={(event) => set(at, { unitPrice: event.target.value })}
          />
          <Input
            label={t("Tax of the line")}
            inputMode="decimal"
            pattern="[0-9]+([.,][0-9]+)?"
            value={line.tax}
            onChange={(event) => set(at, { tax: event.target.value })}
          />
          <Button
            tone="quiet"
            icon={Trash2}
            label={t("Remove line {n}", { n: at + 1 })}
            disabled={lines.length === 1}
            onClick={() => onChange(lines.toSpliced(at, 1))}
          />
        </div>
      ))}
      <Button small icon={Plus} className="self-start" onClick={() => onChange([...lines, emptyLine])}>
        {t("Add a line")}
      </Button>
    </fieldset>
  )
}
