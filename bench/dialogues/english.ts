/** Calls in English. */
import { backchannel, type Dialogue, interrupt, noiseBetween, noiseOver, quiet, turn } from "./Dialogue.ts"

const language = "en-US"

export const english: ReadonlyArray<Dialogue> = [
  {
    id: "plain-hours",
    category: "plain",
    language,
    voice: "m1",
    noise: "pink",
    steps: [turn("What are your opening hours?"), turn("And are you open on Sundays?"), turn("Thank you, goodbye.")]
  },
  {
    id: "plain-statement",
    category: "plain",
    language,
    voice: "f2",
    noise: "street",
    steps: [
      turn("I would like to return a pair of shoes."),
      turn("They are too small."),
      turn("Yes, I still have the receipt.")
    ]
  },
  {
    id: "plain-one-word",
    category: "plain",
    language,
    voice: "m3",
    noise: "fan",
    steps: [turn("Hello?"), turn("Delivery, please."), turn("Tomorrow.")]
  },
  {
    id: "hesitation-mid-thought",
    category: "hesitation",
    language,
    voice: "f1",
    noise: "comfort",
    steps: [
      turn("I would like to", 900, "change my booking for Friday."),
      turn("It should be a table for four and", 1_100, "one small child.")
    ]
  },
  {
    id: "hesitation-filler",
    category: "hesitation",
    language,
    voice: "m2",
    noise: "pink",
    steps: [
      turn("I am calling about, um", 1_000, "the broken lamp."),
      turn("I bought it in, uh", 800, "the shop near the station.")
    ]
  },
  {
    id: "hesitation-conjunction",
    category: "hesitation",
    language,
    voice: "f3",
    noise: "street",
    steps: [
      turn("I wanted the blue one, but", 1_200, "the parcel had a red one."),
      turn("You can send it again or", 900, "give me the money back because", 800, "I am travelling next week.")
    ]
  },
  {
    id: "hesitation-preposition",
    category: "hesitation",
    language,
    voice: "m4",
    noise: "white",
    steps: [turn("Please send it to", 1_000, "my office in Madison Road."), turn("Leave it with", 900, "the doorman.")]
  },
  {
    id: "hesitation-question",
    category: "hesitation",
    language,
    voice: "f4",
    noise: "babble",
    steps: [
      turn("Can you tell me whether", 1_000, "the museum is open today?"),
      turn("How much is", 800, "a family ticket?")
    ]
  },
  {
    id: "hesitation-two-sentences",
    category: "hesitation",
    language,
    voice: "m5",
    noise: "comfort",
    steps: [
      turn("Well, let me see.", 300, "I think it was the third of May."),
      turn("Hold on, I have to", 1_400, "find my glasses.")
    ]
  },
  {
    id: "numbers-phone",
    category: "numbers",
    language,
    voice: "f5",
    noise: "pink",
    steps: [turn("My number is", 900, "nine eight four five", 700, "two two one", 700, "three zero seven.")]
  },
  {
    id: "numbers-order",
    category: "numbers",
    language,
    voice: "m6",
    noise: "fan",
    steps: [turn("The order number is", 1_000, "four two seven", 800, "one one six."), turn("Yes, that is the one.")]
  },
  {
    id: "numbers-card",
    category: "numbers",
    language,
    voice: "f1",
    noise: "street",
    steps: [
      turn("Five five one two", 800, "six three four zero", 800, "seven seven eight one", 800, "nine two zero six.")
    ]
  },
  {
    id: "numbers-postcode",
    category: "numbers",
    language,
    voice: "m7",
    noise: "white",
    steps: [
      turn("The postal code is", 800, "five six zero", 700, "zero three eight."),
      turn("House number", 700, "twenty one.")
    ]
  },
  {
    id: "numbers-date",
    category: "numbers",
    language,
    voice: "f2",
    noise: "babble",
    steps: [turn("I was born on the", 800, "fourteenth of March", 700, "nineteen eighty two.")]
  },
  {
    id: "email-spelled",
    category: "e-mail",
    language,
    voice: "m8",
    noise: "comfort",
    steps: [turn("My e-mail is", 900, "j o h n", 700, "dot miller", 700, "at example dot com.")]
  },
  {
    id: "email-at",
    category: "e-mail",
    language,
    voice: "f3",
    noise: "pink",
    steps: [turn("Send it to anna at", 900, "maple books dot", 800, "com."), turn("Yes, all lower case.")]
  },
  {
    id: "email-letters",
    category: "e-mail",
    language,
    voice: "m1",
    noise: "fan",
    steps: [turn("It is s", 600, "m i t h", 800, "underscore", 700, "nineteen at post dot org.")]
  },
  {
    id: "backchannel-mm-hm",
    category: "backchannel",
    language,
    voice: "f4",
    noise: "pink",
    steps: [turn("How does the delivery work?"), backchannel(1_500, "mm-hm"), turn("I see, that is good to know.")]
  },
  {
    id: "backchannel-okay",
    category: "backchannel",
    language,
    voice: "m2",
    noise: "street",
    steps: [turn("Tell me about the guarantee."), backchannel(1_400, "Okay."), turn("And what does it cost?")]
  },
  {
    id: "backchannel-yeah",
    category: "backchannel",
    language,
    voice: "f5",
    noise: "comfort",
    steps: [turn("Which plans do you offer?"), backchannel(1_600, "Yeah."), turn("The large one sounds right for us.")]
  },
  {
    id: "backchannel-right",
    category: "backchannel",
    language,
    voice: "m3",
    noise: "babble",
    steps: [turn("What do I have to bring along?"), backchannel(2_000, "Right."), turn("My passport is still valid.")]
  },
  {
    id: "backchannel-uh-huh",
    category: "backchannel",
    language,
    voice: "f1",
    noise: "fan",
    steps: [turn("How do I reset the alarm?"), backchannel(1_200, "uh-huh"), turn("Now it is blinking.")]
  },
  {
    id: "noise-cough",
    category: "noise",
    language,
    voice: "m4",
    noise: "pink",
    steps: [turn("What is on the menu today?"), noiseOver(1_500, "cough"), turn("The soup sounds nice.")]
  },
  {
    id: "noise-clicks",
    category: "noise",
    language,
    voice: "f2",
    noise: "comfort",
    steps: [
      turn("Where can I park?"),
      noiseOver(1_300, "click"),
      turn("Is it free in the evening?"),
      noiseOver(1_000, "click")
    ]
  },
  {
    id: "noise-bang",
    category: "noise",
    language,
    voice: "m5",
    noise: "street",
    steps: [turn("Which bus goes to the airport?"), noiseOver(1_500, "bang"), turn("How long does it take?")]
  },
  {
    id: "noise-between",
    category: "noise",
    language,
    voice: "f3",
    noise: "fan",
    steps: [
      turn("I have a question about my bill."),
      noiseBetween(1_500, "cough"),
      turn("It is higher than last month.")
    ]
  },
  {
    id: "noise-music",
    category: "noise",
    language,
    voice: "m6",
    noise: "music",
    steps: [turn("Can you hear me over the music?"), turn("I will have the vegetable curry.")]
  },
  {
    id: "noise-babble",
    category: "noise",
    language,
    voice: "f4",
    noise: "babble",
    steps: [
      turn("I am standing in a crowded hall."),
      noiseOver(1_600, "click"),
      turn("Where is the registration desk?")
    ]
  },
  {
    id: "double-talk-start",
    category: "double-talk",
    language,
    voice: "m7",
    noise: "pink",
    steps: [turn("Do you sell gift cards?"), interrupt(300, "And do they ever expire?")]
  },
  {
    id: "double-talk-second-thought",
    category: "double-talk",
    language,
    voice: "f5",
    noise: "street",
    steps: [turn("I need two tickets for tonight."), interrupt(500, "Sorry, I mean three tickets for tonight.")]
  },
  {
    id: "double-talk-twice",
    category: "double-talk",
    language,
    voice: "m8",
    noise: "comfort",
    steps: [
      turn("Is there a train in the morning?"),
      interrupt(400, "I have to be there before nine."),
      interrupt(700, "The slow train would be fine as well.")
    ]
  },
  {
    id: "interruption-question",
    category: "interruption",
    language,
    voice: "f1",
    noise: "fan",
    steps: [turn("Tell me about your opening hours."), interrupt(1_800, "What about next Friday?")]
  },
  {
    id: "interruption-stop",
    category: "interruption",
    language,
    voice: "m1",
    noise: "pink",
    steps: [turn("Read me the conditions, please."), interrupt(1_500, "Stop."), turn("I only want to know the price.")]
  },
  {
    id: "interruption-wait",
    category: "interruption",
    language,
    voice: "f2",
    noise: "babble",
    steps: [turn("How do I find your office?"), interrupt(2_000, "Wait, I am coming by bicycle.")]
  },
  {
    id: "interruption-correction",
    category: "interruption",
    language,
    voice: "m2",
    noise: "street",
    steps: [
      turn("I want to cancel my order."),
      interrupt(1_500, "No, not that order, the newer one."),
      interrupt(1_700, "The one from last Monday.")
    ]
  },
  {
    id: "silence-asked",
    category: "silence",
    language,
    voice: "f3",
    noise: "comfort",
    steps: [turn("Let me think about it for a moment."), quiet, turn("Yes, I am still here.")]
  },
  {
    id: "silence-noisy",
    category: "silence",
    language,
    voice: "m3",
    noise: "street",
    steps: [quiet, turn("Hello, can you hear me now?"), turn("It was very loud here.")]
  }
]
