/** How much of a whole there is, as a bar; programs that read the page aloud get it as a meter. */
export const AmountBar = ({
  label,
  used,
  of,
  limited = false
}: {
  readonly label: string
  readonly used: number
  readonly of: number
  /** The whole is a limit: the bar warns from four fifths on. */
  readonly limited?: boolean
}) => {
  const colour = limited && used > of ? "fill-danger" : limited && used > of * 0.8 ? "fill-warn" : "fill-accent"
  return (
    <>
      <meter
        aria-label={label}
        className="sr-only"
        min={0}
        max={Math.max(of, 1)}
        value={Math.min(used, Math.max(of, 1))}
      />
      <svg
        aria-hidden="true"
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        className="h-2 w-full rounded-full bg-sunken"
      >
        <rect width={of === 0 ? 0 : Math.min(100, (used / of) * 100)} height="1" className={colour} />
      </svg>
    </>
  )
}
