import type { LanguageTables } from "./Rules.ts"

/** English, with what speakers in India mix in. Its tables apply in every language. */
export const english: LanguageTables = {
  answers:
    "yes, yeah, yep, yup, yes please, yes i do, yes i am, yes it is, yes that's right, no, nope, nah, no thanks, no thank you, not now, not really, no i don't, okay, ok, okay then, alright, all right, sure, of course, correct, that's correct, that's right, right, exactly, absolutely, definitely, thank you, thank you so much, thank you very much, thanks, thanks a lot, many thanks, bye, bye bye, goodbye, good bye, see you, that's all, that's it, that is all, nothing, nothing else, nothing more, i don't know, no idea, go ahead, fine, that's fine, perfect, great, haan, haan ji, nahi, theek hai",
  greetings:
    "hi, hello, hey, hi there, hello there, good morning, good afternoon, good evening, hello hello, hello sir, hello madam, hello ma'am",
  conditions: "if, in case, unless, even if, as soon as",
  consequences: "then",
  backchannels:
    "mm, mhm, mmhm, mm hm, mm hmm, mmhmm, m hm, hm, hmm, mhmm, uh huh, uhuh, uhhuh, aha, ah, ah ha, oh, oh okay, okay, ok, okie, okay okay, right, alright, all right, yeah, yes, yep, yup, ya, yah, sure, i see, got it, gotcha, great, good, nice, cool, fine, true, exactly, correct, of course, wow, really, understood, i understand, go on, go ahead, please continue, okay sir, okay madam, yes sir, yes madam, haan, han, ha ji, haan ji, achha, acha, accha, ji, theek hai, thik hai",
  interruptions:
    "stop, stop it, please stop, wait, wait a minute, hold on, hang on, one second, one sec, one minute, one moment, just a second, just a minute, excuse me, listen, listen to me, hear me out, be quiet, shut up, enough, never mind, let me speak, let me talk, let me finish, cancel that, that's wrong, not that, pause",
  hesitations:
    "um, umm, uh, uhh, uhm, er, err, erm, hm, hmm, ah, ahh, eh, like, you know, i mean, let me see, let me think, let me check, let's see, how do i say, what do you call it, kind of, sort of, actually, basically, well, give me a second, give me a minute, bear with me, hold on, hang on, hold on a second, one second, one sec, one minute, one moment, just a second, just a minute, just a moment, wait a minute, wait a second, matlab, mane",
  openEnds:
    "and, and then, and also, but, or, so, because, cause, 'cause, if, unless, until, till, while, although, since, than, whether, which, whose, where, when, what time, what kind, how many, the, a, an, my, your, our, their, his, its, i, we, they, he, she, it's, that's, there's, here's, what's, where's, who's, let's, -'m, -'re, -'ll, -'ve, -'d, to, for, from, with, about, in, on, at, of, by, into, onto, regarding, between, through, under, without, per, as, very, just, also, plus, every, some, any, is, are, was, were, be, am, do you, can you, could you, would you, will you, did you, have you, can i, could i, may i, should i, shall i, do i, can we, could we, do they, if you, if i, and you, could you please, can you please, would you please, can you tell me, could you tell me, please tell me, tell me, do you have, do you know, do you offer, have you got, can you give me, can you send me, i want, i need, i would like, i'd like, i want you, i need you, we want, we need, would like, i was, i have, i think, i guess, i wanted, i was wondering, i'm calling, i am calling, i'm looking, i am looking, want to know, trying, going, supposed, called, says, at the rate, dot, underscore, hyphen, dash",
  closedEnds:
    "very well, doing well, as well, am well, go well, going well, works well, feel well, feeling well, many do you have, much do you have, what do you have, else do you have, which do you have, at what time, it like, look like, looks like, be like, log in, sign in, check in, come in, put in, logged in, signed in, checked in, move in, turn it on, turn on, switch it on, go on, come on, later on, put on, going on, what for, where to, where from, who with, love to, don't want to, not want to, listen to, talk to, spoken to, been to, i'm going, we're going, how are you going, is it going, it going, yes i have, yes i am, yes i was, yes it was, yes it is, as it is, that it is, yes we are, how it is, are and, not tell me, didn't tell me, don't tell me, doesn't tell me, won't tell me, wouldn't tell me, can't tell me, couldn't tell me, never tell me, not so, think so, hope so, say so, since when, how so, okay so, not at all",
  questionWords: "what, what's, when, where, where's, which, who, who's, whom, whose, why, how, how's",
  questionEnds:
    "isn't it, aren't you, don't you, won't you, or not, or what, or no, why not, how much, how long, how far, how come, what else, which one, anything else, is that right, is that okay, is that correct",
  statementEnds: "",
  possessives: "my, our, his, her, their",
  copulas: "is, are, it's, are, would be, was",
  phone:
    "number, numbers, phone, telephone, mobile, cell, whatsapp, call me, call me at, call me on, reach me, text me, contact, landline",
  code: "otp, o t p, pin, pincode, pin code, passcode, zip, zip code, postcode, post code, verification code, code, security code, password",
  reference: "order, ticket, booking, complaint, reference, invoice, id, policy, tracking, pnr, registration",
  account: "account, customer id, consumer, customer number",
  card: "card, credit card, debit card",
  aadhaar: "aadhaar, aadhar, adhar, adhaar",
  name: "name, first name, last name, surname, address, date of birth, birthday, street",
  email: "email, e mail, mail, mail id, email id, email address, mail address",
  digits: "zero/oh/nought/nil, one, two, three, four, five, six, seven, eight, nine",
  repeats: "double, triple",
  letters: "",
  at: "at, at the rate, at the rate of",
  dot: "dot, point, period",
  domains: "com, in, org, net, co, edu, gov, io, info, biz, uk, au, us, me, ai, co in, co uk, com au, ac in, gov in",
  humans:
    "human, humans, human being, a human, agent, agents, representative, representatives, rep, operator, operators, real person, real people, actual person, live person, live agent, supervisor, supervisors, speak to a person, talk to a person, speak with a person, talk with a person, speak to someone, talk to someone, speak with someone, talk with someone, speak to somebody, talk to somebody, speak to a manager, talk to a manager, speak to your manager, talk to your manager, speak with your manager, talk with your manager, speak with a manager, speak to the manager, talk to the manager, someone i can talk to, someone i can speak to, anyone i can talk to, anyone i can speak to, connect me to customer service, speak to customer service, talk to customer service, customer care executive, talk to customer care, speak to customer care, connect me to customer care, connect to customer care, insaan, asli insaan",
  notHumans:
    "travel agent, travel agents, estate agent, estate agents, real estate agent, real estate agents, insurance agent, insurance agents, ticket agent, booking agent, delivery agent, delivery agents, shipping agent, customs agent, collection agent, recovery agent, commission agent, cleaning agent, user agent, agent code, agent id, agent number, human resource, human resources, human rights, human error, only human, human body, human hair, human readable, tour operator, tour operators, mobile operator, network operator, cable operator, bus operator, telecom operator, machine operator, computer operator, medical representative, medical representatives, i am an agent, i'm an agent"
}

/** Verbs that make a question when they come first, or soon after a question word. */
export const auxiliaries =
  "do, does, did, is, are, was, were, am, can, could, will, would, shall, should, may, might, have, has, had, isn't, aren't, don't, doesn't, didn't, can't, couldn't, won't, wouldn't, haven't, hasn't"

/** What follows an auxiliary in a question. */
export const subjects =
  "i, you, we, they, he, she, it, there, this, that, these, those, the, a, an, any, anyone, anybody, someone, somebody, my, your, our, his, her, their, everything, all"

/** First words of a two-digit number: "ninety eight". */
export const tens = "twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety"

/** Numbers of two digits in one word. */
export const teens = "ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen, seventeen, eighteen, nineteen"
