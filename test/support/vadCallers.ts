/** What callers say in trials of the voice activity detector, in which voice and language. */

export interface Phrase {
  readonly text: string
  readonly language: string
  readonly voice: string
  readonly rate: number
  readonly pitch: number
}

const phrase = (text: string, language: string, voice: string, rate: number, pitch: number): Phrase => ({
  text,
  language,
  voice,
  rate,
  pitch
})

/** Callers that may be used to choose thresholds. */
export const tuningCallers: ReadonlyArray<Phrase> = [
  phrase("Hello, I would like to book an appointment for tomorrow morning.", "en-us", "m1", 160, 50),
  phrase("नमस्ते, मुझे कल सुबह के लिए समय चाहिए।", "hi", "f1", 150, 60),
  phrase("Yes please.", "en-us", "m3", 170, 40),
  phrase("Can you tell me the price of the big one, and whether it is in stock?", "en-gb", "f3", 175, 70),
  phrase("मेरा ऑर्डर कहाँ है?", "hi", "m5", 160, 45),
  phrase("No, that is not what I meant. I said the seventeenth of June.", "en-us", "m2", 150, 35),
  phrase("எனக்கு நாளை காலை ஒரு சந்திப்பு வேண்டும்.", "ta", "f2", 165, 55),
  phrase("हाँ, ठीक है।", "hi", "m1", 180, 50),
  phrase("Good evening, this is about the invoice from last week.", "en-us", "f4", 185, 75),
  phrase("मैं अपना पता बदलना चाहता हूँ, क्या आप मदद कर सकते हैं?", "hi", "m7", 170, 25),
  phrase("Could somebody please call me back after six?", "en-gb", "m4", 140, 30),
  phrase("நன்றி, வேறு எதுவும் இல்லை.", "ta", "m6", 150, 40),
  phrase("She sells fish, fresh chips and seven sticky cakes.", "en-us", "f5", 200, 85),
  phrase("ठीक है, धन्यवाद।", "hi", "f5", 200, 65),
  phrase("My number is nine eight four, two two one, seven zero five three.", "en-gb", "m8", 165, 55),
  phrase("என் கணக்கில் எவ்வளவு பணம் இருக்கிறது என்று சொல்லுங்கள்.", "ta", "f3", 190, 70),
  phrase("Nope.", "en-us", "m8", 150, 20),
  phrase("रिफंड कब तक आएगा?", "hi", "f2", 145, 80)
]

/** Other callers, for reports: other sentences, voices, pitches and speeds. */
export const heldOutCallers: ReadonlyArray<Phrase> = [
  phrase("Hi, my parcel has not arrived and the tracking page is empty.", "en-us", "f1", 170, 45),
  phrase("मुझे बिल की एक कॉपी भेज दीजिए।", "hi", "m3", 155, 35),
  phrase("Actually, make that two tickets for Saturday.", "en-gb", "m6", 190, 60),
  phrase("என்னுடைய கடவுச்சொல் வேலை செய்யவில்லை.", "ta", "f4", 155, 75),
  phrase("Mm, sure.", "en-us", "f2", 140, 65),
  phrase("क्या यह दुकान रविवार को खुली रहती है?", "hi", "f3", 175, 50),
  phrase("Which of your branches is nearest to the old railway bridge?", "en-gb", "m7", 150, 20),
  phrase("சரி, நான் காத்திருக்கிறேன்.", "ta", "m2", 170, 30),
  phrase("Stop, stop, that was the wrong account.", "en-us", "m5", 200, 55),
  phrase("जी नहीं।", "hi", "m4", 145, 25),
  phrase("It begins with a zero, then six, six, one, and ends with forty two.", "en-us", "f3", 160, 80),
  phrase("Good morning, is this the right number for repairs?", "en-us", "m4", 165, 50),
  phrase("मेरी गाड़ी की सर्विस कब होगी?", "hi", "f4", 160, 55),
  phrase("I am calling about the flat you have advertised.", "en-gb", "f1", 170, 60),
  phrase("ஆம், அது சரிதான்.", "ta", "m1", 160, 40),
  phrase("నా ఆర్డర్ ఇంకా రాలేదు.", "te", "f2", 165, 60),
  phrase("Perfect, thank you very much.", "en-us", "m6", 180, 45),
  phrase("আমার একটা সাহায্য লাগবে।", "bn", "m2", 155, 35),
  phrase("Do you deliver to the islands as well?", "en-gb", "m2", 165, 30),
  phrase("हैलो, कोई है?", "hi", "m2", 170, 45),
  phrase("We were promised a technician between nine and noon.", "en-us", "f5", 175, 70),
  phrase("माझे बिल चुकीचे आहे.", "mr", "f1", 160, 65),
  phrase("Let me check, just a second.", "en-us", "m1", 185, 55),
  phrase("મને પૈસા પાછા જોઈએ છે.", "gu", "m3", 165, 40),
  phrase("Tomorrow would be better for us.", "en-gb", "f4", 160, 50),
  phrase("ಹೌದು, ನಾನು ಕೇಳುತ್ತಿದ್ದೇನೆ.", "kn", "f3", 160, 60),
  phrase("Okay.", "en-us", "m7", 165, 35),
  phrase("എനിക്ക് ഒരു മുറി വേണം.", "ml", "m5", 165, 45),
  phrase("Fine, then cancel the whole thing.", "en-us", "f2", 195, 75),
  phrase("ਮੈਨੂੰ ਮੈਨੇਜਰ ਨਾਲ ਗੱਲ ਕਰਨੀ ਹੈ।", "pa", "m4", 160, 30),
  phrase("Right, and how long does that take?", "en-gb", "m5", 180, 50),
  phrase("क्या आप मेरी आवाज़ सुन पा रहे हैं?", "hi", "f1", 165, 60),
  phrase("Two adults and one child, please.", "en-us", "f3", 170, 65)
]
