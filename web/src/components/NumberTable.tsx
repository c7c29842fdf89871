/** The numbers of a chart, one press away. */
import { t } from "../lib/i18n.ts"

export const NumberTable = ({
  title,
  head,
  rows
}: {
  readonly title: string
  readonly head: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}) => (
  <details>
    <summary className="cursor-pointer text-small font-medium text-ink-2">{t("In numbers")}</summary>
    <table className="mt-2 w-full border-collapse text-small">
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr>
          {head.map((name, at) => (
            <th
              key={name}
              scope="col"
              className={`border-b border-line py-1 font-medium text-ink-3 ${at === 0 ? "text-start" : "text-end"}`}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="num">
        {rows.map(([name = "", ...values]) => (
          <tr key={name}>
            <th scope="row" className="border-b border-line py-1 text-start font-normal">
              {name}
            </th>
            {values.map((value, at) => (
              <td key={head[at + 1]} className="border-b border-line py-1 text-end">
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </details>
)
