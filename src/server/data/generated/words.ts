/** The words that invented schools, entries, people and reviews are made of; none refers to a real one. */

/** A list is separated by commas if one of its names contains a space. */
const splitList = (text: string) => text.trim().split(text.includes(',') ? /,\s+/ : /\s+/);

export const TOWN_STARTS = splitList(`
  Alder Amber Ash Birch Black Bright Brook Cedar Clear Copper Crane Dun East Elm Fair Fern Glen Gold
  Green Grey Hart Haven Hazel Heather High Holly Iron Juniper Kestrel King Lark Linden Long Maple Marsh
  Mill Moor North Oak Otter Pine Quarry Raven Red Rowan Sand Silver South Stone Swan Thorn Wall West
  White Wild Willow
`);
export const TOWN_ENDS = splitList(`
  bay borough bridge brook bury cliff combe croft dale field ford gate ham haven hill hurst lake leigh
  mere mouth port ridge shore stead ton vale view ville water wick wood worth
`);
export const SCHOOL_FORMS = [
  'University of {town}',
  '{town} College',
  '{town} State University',
  '{town} Institute of Technology',
  '{town} School of Arts and Sciences',
  '{town} Polytechnic',
  '{town} Open University',
  'Royal Academy of {town}',
];
export const COUNTRIES = splitList(`
  Argentina, Australia, Austria, Brazil, Canada, Chile, Denmark, Egypt, Estonia, Finland, France,
  Germany, Ghana, Greece, India, Indonesia, Ireland, Italy, Japan, Kenya, Latvia, Malaysia, Mexico,
  Morocco, Netherlands, New Zealand, Nigeria, Norway, Peru, Philippines, Poland, Portugal, Singapore,
  South Africa, South Korea, Spain, Sweden, Thailand, Turkey, United Kingdom, United States, Vietnam
`);
export const SCHOOL_SENTENCES = [
  'Founded by the town council, {town} keeps its classes small and its libraries open late.',
  'The campus lies along the river, ten minutes on foot from the station of {town}.',
  'Half of the students come from abroad, and most of them stay for the whole course.',
  'Workshops, studios and laboratories are open to every faculty.',
  'Teaching follows projects rather than lectures from the second year on.',
  'It is known in the region for its evening courses and its choir.',
  'A third of the places are kept for those who are the first of their family to study.',
];
export const ENTRY_WORDS = splitList(`
  Riverside, Harbour, Lantern, Orchard, Northern, Evening, Saturday, Old Mill, Terrace, Courtyard,
  Lakeside, Garden, Union, Station, Hilltop, Founders, Open, Central, Meadow, Quayside
`);
export const ENTRY_SENTENCES = [
  'Run by students together with two members of staff.',
  'Open to everybody from the first week of term.',
  'Places are given out in September and again in January.',
  'There is a waiting list, which moves faster than one would think.',
  'Most of it happens in the new building behind the library.',
  'A small fee is asked for; those who cannot pay it need not.',
];

export const FIRST_WORDS = splitList(`
  amber brave calm clever cosy dusty eager early fuzzy gentle happy honest idle jolly keen kind late
  lively lucky mellow modest neat odd patient plain polite quick quiet rainy shy silent sleepy smart
  sunny swift tall tidy warm wise witty
`);
export const SECOND_WORDS = splitList(`
  acorn badger beetle bison comet cricket dolphin falcon ferret finch fox gecko hare heron ibis jackdaw
  kettle lemur lynx magpie marten newt orca otter owl panda pebble pigeon puffin quail robin seal sparrow
  stoat teapot tern vole walrus wren
`);

/** Good, average and bad sentences, so that the text of a review matches its rating. */
export const REVIEW_SENTENCES: readonly (readonly string[])[] = [
  [
    'I had hoped for more, and so had everybody else I talked to.',
    'Nobody answered my mails for {time}, and then the answer was wrong.',
    'What is promised on the open day has little to do with what you get.',
    'It is overcrowded in the mornings and locked when you would have the time.',
    'The rooms are cold in winter, and the projector has been broken for {time}.',
    'I would not choose it again, and I tell everybody who asks.',
    'They changed the dates twice without telling anyone.',
    'You pay for things that you never get to see.',
    'There is one person who cares, and that person is leaving.',
  ],
  [
    'It took me {time} to find out how things work here.',
    'Some weeks are very good and others are simply badly organised.',
    'For the money it is fair, as long as you do not expect too much.',
    'The people are friendly, the building is not.',
    'If you come early you get a place, if you come late you stand.',
    'It depends a lot on who is in charge that term.',
    'I stayed for {time}, and I do not regret it, but once is enough.',
    'Ask the older students before you sign anything.',
    'The beginning is slow, the second half is worth the wait.',
  ],
  [
    'After {time} I can say that it was the best decision I made here.',
    'Everybody knows your name by the second week.',
    'Whenever something went wrong, somebody was there to sort it out.',
    'I learned more here than in most of my lectures.',
    'It is well run, well kept, and open when you need it.',
    'Newcomers are welcome, and nobody minds beginners.',
    'My parents came to visit and did not want to leave.',
    'The view alone is worth the walk up the hill.',
    'I found friends here that I still see every week after {time}.',
  ],
];
export const TIMES = ['two weeks', 'a month', 'six weeks', 'a whole term', 'half a year', 'a year', 'two years'];
