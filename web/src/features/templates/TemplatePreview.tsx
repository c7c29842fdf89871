/** A template as it arrives, with what is in its gaps. */
import type { Template } from "@parley/client"
import { FileText } from "lucide-react"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { t } from "../../lib/i18n.ts"
import { bubbleClass } from "../thread/Bubble.tsx"
import { Text } from "../thread/Text.tsx"
import { type Filled, partsOf } from "./template.ts"

export const TemplatePreview = ({
  template,
  values = {}
}: {
  readonly template: Template
  readonly values?: Filled
}) => {
  const { header, isFile, body, footer, buttons } = partsOf(template, values)
  return (
    <div className="rounded-card bg-bg p-3">
      <div className={bubbleClass("human")}>
        {header !== undefined &&
          (isFile ? (
            <p className="mb-1 flex items-center gap-2 text-ink-2">
              <Icon of={FileText} size={14} /> {t("A file: {kind}", { kind: header.toLowerCase() })}
            </p>
          ) : (
            <p dir="auto" className="mb-1 font-semibold">
              {header}
            </p>
          ))}
        <Text>{body}</Text>
        {footer !== undefined && (
          <p dir="auto" className="mt-1 text-small text-ink-2">
            {footer}
          </p>
        )}
      </div>
      {buttons.length > 0 && (
        <ul aria-label={t("Buttons")} className="mt-2 flex flex-wrap gap-1">
          {buttons.map((text) => (
            <li key={text}>
              <Chip>{text}</Chip>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
