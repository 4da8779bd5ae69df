import type { ProfileField } from '../../src/contract/profiles.ts';

/** The schools of the cases. Entries have a category and the reviews of it. */
export const PREFERENCE_SCHOOLS: readonly {
  name: string;
  location: string;
  description: string;
  aliases?: readonly string[];
  entries: readonly [kind: string, name: string, rating: number, ...reviews: string[]][];
}[] = [
  {
    name: 'George Town College',
    location: 'George Town, Malaysia',
    description: 'A college by the strait.',
    entries: [
      ['lifestyles', 'Heat and rain', 3, 'Carry two shirts. After rain at four the street is a river.'],
      ['housing', 'Strait Hall', 4, 'The rooms are small and the neighbours friendly.'],
    ],
  },
  {
    name: 'Marmara Gate University',
    location: 'Istanbul, Turkey',
    description: 'Between two continents.',
    entries: [['lifestyles', 'The ferries', 2.5, 'Simit, cats, and a ferry every ten minutes.']],
  },
  {
    name: 'Prairie Crossing University',
    location: 'Kansas, United States',
    description: 'Agriculture and open country.',
    entries: [
      ['lifestyles', 'The town', 2, 'No street lights after ten, and the buses stop at nine.'],
      ['majors', 'Agriculture', 4.5, 'You plough in the first week.'],
    ],
  },
  {
    name: 'Havbris University',
    location: 'Bergen, Norway',
    description: 'Marine science on the west coast.',
    entries: [
      ['majors', 'Marine Biology', 4, 'Three cruises in the first year.'],
      ['housing', 'Harbour House', 3.5, 'Quiet after eleven. Card access to the sauna, which students share.'],
    ],
  },
  {
    name: 'Cerro Alto Institute',
    location: 'Atacama, Chile',
    description: 'A dry desert and dark skies.',
    entries: [
      ['majors', 'Astronomy', 3, 'Nights at the telescope count as lectures.'],
      ['others', 'Scholarships', 4, 'The scholarship paid my rent.'],
    ],
  },
  {
    name: 'Sastrugi',
    location: 'Punta Arenas, Chile',
    description: 'Glaciology, and a विज्ञान library.',
    entries: [
      ['jobs', 'Glacier guide', 0.5, 'Rainy all year, and the pay is fair.'],
      ['clubs', 'Choir', 0.5, 'Nobody turns up.'],
    ],
  },
  {
    name: 'Emperor Field School',
    location: 'Sastrugi, Antarctica',
    description: 'Penguins.',
    entries: [],
  },
  {
    name: 'HIT World University',
    location: 'Innsbruck, Austria',
    description: 'Thoughts of peace.',
    entries: [],
  },
  {
    name: 'Highlands Institute of Trade',
    location: 'Inverness, United Kingdom',
    description: 'Ledgers and harbours.',
    aliases: ['Sastrugi Bookkeepers', 'HIT', 'Sgoil na Gàidhealtachd'],
    entries: [],
  },
  {
    name: 'Kielo College',
    location: 'Oulu, Finland',
    description: 'Forestry under snow.',
    entries: [
      ['clubs', 'Ski Club', 5, 'Astronomy nights, skiing and soup. Astronomy again on Sundays.'],
      ['housing', 'Birch Village', 4.5, 'A dog in every kitchen, and noise until two.'],
      ['housing', 'The Havbris University rooms', 4, 'Shared with exchange students.'],
      ['jobs', 'Night watch', 4, 'A choir of wolves at Sastrugi. The pay is fair, and the shift is rainy.'],
      ['lifestyles', 'Trips to Sastrugi', 4, 'A long way. Sledges are provided.'],
    ],
  },
];

export interface PreferenceCase {
  readonly preferences: Partial<Record<ProfileField, string>>;
  /** The school that is recommended, if only one can be. */
  readonly school?: string;
  /** The filled fields for which nothing is found; default: all of them. */
  readonly silent?: readonly ProfileField[];
  /** Must not occur in a quotation or a word that the text names. */
  readonly never?: RegExp;
  /** What the text must also contain. */
  readonly says?: string;
}

/** Preferences and their recommendations. The first cases were typed by somebody who got a wrong answer. */
export const PREFERENCE_CASES: readonly PreferenceCase[] = [
  { preferences: { personal: 'I hate rain' }, never: /rain/i },
  { preferences: { personal: 'allergic to cats' }, never: /cats/i },
  { preferences: { personal: 'no rain please' }, never: /rain|^no$|No street/i },
  {
    preferences: { personal: 'wheelchair access' },
    school: 'Havbris University',
    silent: [],
    says: 'On your personal notes (“access”), a review of Harbour House says: “Quiet after eleven. Card access',
  },
  { preferences: { personal: 'wheelchair ramps' } },
  {
    preferences: {
      location: 'Norway',
      major: 'Marine biology',
      academicLevel: 'Bachelor',
      campusSetting: 'harbour',
      finance: 'lottery',
      goals: 'zymurgy',
      living: 'quiet',
      personal: 'volleyball',
    },
    school: 'Havbris University',
    silent: ['academicLevel', 'finance', 'goals', 'personal'],
  },
  { preferences: { major: 'Astronomy' }, school: 'Cerro Alto Institute', silent: [] },
  { preferences: { major: 'astronomy!' }, school: 'Cerro Alto Institute', silent: [] },
  { preferences: { personal: 'astronomy' }, school: 'Cerro Alto Institute', silent: [] },
  { preferences: { major: 'marine biology' }, school: 'Havbris University', silent: [] },
  { preferences: { major: 'Agriculture' }, school: 'Prairie Crossing University', silent: [] },
  { preferences: { personal: 'Ski club' }, school: 'Kielo College', silent: [] },
  { preferences: { personal: 'skiing, no cats' }, school: 'Kielo College', silent: [], never: /cats/i },
  { preferences: { location: 'Chile' }, school: 'Cerro Alto Institute', silent: [] },
  { preferences: { location: 'Finland', personal: 'knitting' }, school: 'Kielo College', silent: ['personal'] },
  // A school in the wanted place comes before one elsewhere with the major, even if the preference has another name for
  // the country. The text does not claim that the school has this name in its location.
  { preferences: { location: 'Norway', major: 'Astronomy' }, school: 'Havbris University', silent: ['major'] },
  {
    preferences: { location: 'the USA', goals: 'HIT', personal: 'street lights' },
    school: 'Prairie Crossing University',
    silent: ['location', 'goals'],
  },
  {
    preferences: { location: 'U.S.A.', major: 'Marine Biology' },
    school: 'Prairie Crossing University',
    says: 'is the best rated. Schools elsewhere are left out.',
  },
  // An alias is mentioned if a word occurs in it alone, unless it contains the name of another school.
  {
    preferences: { goals: 'HIT' },
    school: 'Highlands Institute of Trade',
    silent: [],
    says: 'is your best match. It is also known as HIT. It fits your goals: “HIT” stands in its name.',
  },
  { preferences: { goals: 'HIT bookkeepers' }, school: 'Highlands Institute of Trade', silent: [] },
  // The part of a location that names another school is left out.
  {
    preferences: { goals: 'penguins' },
    school: 'Emperor Field School',
    silent: [],
    says: 'Emperor Field School (Antarctica) is your best match.',
  },
  { preferences: { living: 'quiet' }, school: 'Havbris University', silent: [] },
  { preferences: { living: 'quiet, without dogs' }, school: 'Havbris University', silent: [], never: /dog/i },
  { preferences: { living: 'no dogs' }, school: 'Havbris University', never: /dog/i },
  { preferences: { living: 'never noise' }, school: 'Havbris University', never: /noise/i },
  {
    preferences: { living: 'I avoid noise and want a sauna' },
    school: 'Havbris University',
    silent: [],
    never: /noise/i,
  },
  { preferences: { living: "I don't like noise" }, never: /noise/i },
  { preferences: { living: 'I don’t like noise' }, never: /noise/i },
  { preferences: { living: "can't stand the noise" }, never: /noise/i },
  {
    preferences: { personal: 'afraid of dogs but skiing is fine' },
    school: 'Kielo College',
    silent: [],
    never: /dog/i,
  },
  {
    preferences: { personal: 'dislike snow. Ferry rides.' },
    school: 'Marmara Gate University',
    silent: [],
    never: /snow/i,
  },
  { preferences: { personal: 'no preference' } },
  { preferences: { personal: 'no problem with rain' }, school: 'George Town College', silent: [] },
  { preferences: { personal: 'not only skiing' }, school: 'Kielo College', silent: [] },
  { preferences: { personal: "can't wait for skiing" }, school: 'Kielo College', silent: [] },
  { preferences: { personal: 'the of and to a i my is' } },
  { preferences: { personal: 'is the in' }, never: /./ },
  { preferences: { finance: 'scholarships' }, school: 'Cerro Alto Institute', silent: [] },
  { preferences: { finance: 'a scholarship' }, school: 'Cerro Alto Institute', silent: [] },
  { preferences: { campusSetting: 'deserts' }, school: 'Cerro Alto Institute', silent: [] },
  { preferences: { campusSetting: 'open country' }, school: 'Prairie Crossing University', silent: [] },
  { preferences: { goals: 'xylography' } },
  { preferences: { goals: 'xylography', living: 'quokkas', personal: '🎓' } },
  { preferences: { living: 'friendly neighbours' }, school: 'George Town College', silent: [] },
  // An entry with the word in its name, however badly rated, counts for more than a review with the word.
  { preferences: { personal: 'choir' }, school: 'Sastrugi', silent: [] },
  // Rainy counts as rain, in a quotation and in the name of an entry.
  { preferences: { finance: 'fair pay', personal: 'no rain' }, never: /./ },
  { preferences: { personal: 'shirts, no rain' }, never: /rain|shirts/i },
  // The name of another school is not mentioned, even if it is a word of the preference.
  { preferences: { personal: 'sastrugi sledges' }, silent: [] },
  { preferences: { goals: 'विज्ञान' }, school: 'Sastrugi', silent: [] },
  // More words than the search looks for.
  { preferences: { personal: `${'abcdefghijklmnopqrstuvwxyz'.replaceAll(/./g, 'z$&z ')} quiet` } },
];
