/** `?`: all keys, and the switch for those that are single letters. */
import { useState } from "react"
import { Dialog } from "../../components/Dialog.tsx"
import { Kbd } from "../../components/Kbd.tsx"
import { message, t } from "../../lib/i18n.ts"
import { lettersAreOn, switchLetters } from "../../lib/keyboard.ts"

const groups: ReadonlyArray<readonly [string, ReadonlyArray<readonly [string, string]>]> = [
  [
    message("Everywhere"),
    [
      ["Ctrl K", message("Search and commands")],
      ["?", message("This list")],
      ["G I", message("Inbox")],
      ["G C", message("Contacts")],
      ["G B", message("Broadcasts")],
      ["G T", message("Templates")],
      ["G Q", message("Quick replies")],
      ["G L", message("Calls")],
      ["G V", message("Live calls")],
      ["G A", message("Voice agents")],
      ["G S", message("Settings")],
      ["C", message("Place a call")],
      ["/", message("Search")],
      ["Esc", message("One level up")],
      ["[", message("Show or hide the names of pages")],
      ["Z", message("Undo")]
    ]
  ],
  [
    message("Inbox"),
    [
      ["J K", message("Next or previous conversation")],
      ["R", message("Reply")],
      ["N", message("Note")],
      ["E", message("Resolve and open the next")],
      ["A", message("Assign")],
      ["M", message("Assign to me: an AI agent is silent then")],
      ["T", message("Label")],
      ["H", message("Snooze")],
      ["U", message("Mark as unread")],
      ["X", message("Select")],
      ["Shift J K", message("Select the next or previous one too")],
      ["P", message("Show or hide the contact")]
    ]
  ],
  [
    message("Writing"),
    [
      ["Ctrl ↵", message("Send")],
      ["Ctrl Shift ↵", message("Send and resolve")],
      ["/", message("Quick reply")],
      ["Ctrl ;", message("Emoji")],
      ["Ctrl U", message("Attach a file")]
    ]
  ],
  [
    message("Call page"),
    [
      ["Space", message("Play or pause")],
      ["J L", message("5 seconds back or on")],
      [", .", message("Previous or next turn")],
      ["W", message("Next slow turn")],
      ["1 2 3", message("Speed")]
    ]
  ],
  [
    message("Live calls"),
    [
      ["↑ ↓", message("choose a call")],
      ["S", message("say this now")],
      ["T", message("hand to a human")],
      ["X X", message("end")]
    ]
  ],
  [
    message("Voice agents"),
    [
      ["N", message("New voice agent")],
      ["Ctrl S", message("Save")]
    ]
  ]
]

const Shortcuts = ({ onClose }: { readonly onClose: () => void }) => {
  const [letters, setLetters] = useState(lettersAreOn)
  return (
    <Dialog title={t("Keys")} onClose={onClose}>
      <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
        {groups.map(([name, rows]) => (
          <section key={name}>
            <h3 className="mb-1 text-small font-semibold">{t(name)}</h3>
            <dl>
              {rows.map(([key, what]) => (
                <div key={key} className="flex items-center gap-2 py-0.5">
                  <dt className="flex-1 text-ink-2">{t(what)}</dt>
                  <dd>
                    <span className="sr-only">{key}</span>
                    <Kbd>{key}</Kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label className="mt-4 flex min-h-8 items-center gap-2 border-t border-line pt-3">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={letters}
          onChange={(event) => {
            switchLetters(event.target.checked)
            setLetters(event.target.checked)
          }}
        />
        {t("Single letters are commands")}
      </label>
    </Dialog>
  )
}

export default Shortcuts
