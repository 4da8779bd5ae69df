import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readCsv } from '../../src/server/data/imports/csv-records.ts';
import { CATALOGUE_FILE } from '../../src/server/data/imports/import-file.ts';

/** The public list from which the catalogue is made. It is not part of the project, so that not every clone has it. */
export const REAL_LIST = fileURLToPath(new URL('../../../shared/data/world-universities.json', import.meta.url));
export const HAS_REAL_LIST = existsSync(REAL_LIST);

interface RealUniversity {
  name: string;
  /** As the list writes it. */
  country: string;
  state: string;
  page: string;
  aliases: string[];
}

/** The 10,251 universities of the catalogue that ships. */
export async function readRealUniversities(): Promise<RealUniversity[]> {
  const universities: RealUniversity[] = [];
  for await (const record of readCsv(CATALOGUE_FILE)) {
    if ('reason' in record) throw new Error(record.reason);
    const [name = '', country = '', state = '', page = '', aliases = ''] = record.fields;
    universities.push({ name, country, state, page, aliases: aliases.split('|').filter(Boolean) });
  }
  return universities.slice(1);
}

/** What is typed | the name that comes first | the names that must not match, with semicolons between. */
const TABLE = `
mit | Massachusetts Institute of Technology | Smith College
M.I.T. | Massachusetts Institute of Technology |
lse | London School of Economics and Political Science, University of London | University of London
UCL | University College London, University of London | Clermont School of Business
tu delft | Delft University of Technology | Eindhoven University of Technology
delft tu | Delft University of Technology |
kaist | Korea Advanced Institute of Science & Technology |
unam | Universidad Nacional Autónoma de México |
ucla | University of California, Los Angeles | University of California, Berkeley
uc berkeley | University of California, Berkeley | University of California, Los Angeles
caltech | California Institute of Technology | Georgia Institute of Technology
georgia tech | Georgia Institute of Technology | Virginia Tech
nyu | New York University |
eth | ETHZ - ETH Zurich |
eth zürich | ETHZ - ETH Zurich | University of Basel
tum | Technische Universität München |
rwth | Rheinisch Westfälische Technische Hochschule Aachen |
uofl | University of Louisville |
iit bombay | Indian Institute of Technology, Bombay | Indian Institute of Technology, Delhi
nus | National University of Singapore |
hkust | The Hong Kong University of Science and Technology | The University of Hong Kong
usp | Universidade de São Paulo |
odtü | Middle East Technical University |
odtu | Middle East Technical University |
ku leuven | KU Leuven | Universiteit Antwerpen
unsw | University of New South Wales | University of Newcastle
universite de montreal | Université de Montréal | Université de Sherbrooke
UNIVERSITÉ DE MONTRÉAL | Université de Montréal |
st johns | St. John's University | Johns Hopkins University
st john's university | St. John's University | St. John's College - Annapolis
st john s university | St. John's University |
saint johns | Saint John's University (NY) | Johns Hopkins University
oxfrod | University of Oxford | Harvard University
oxford university | University of Oxford | University of Cambridge
university of oxford | University of Oxford | University of Cambridge
oxford | University of Oxford | University of Cambridge
cambridge university | University of Cambridge | Cambrian College
Havard | Harvard University | Howard University
harvrad university | Harvard University |
Princton | Princeton University |
stanfrod university | Stanford University |
yale univ | Yale University |
toronto university | University of Toronto | University of Ottawa
mcgill | McGill University |
edinbrugh | University of Edinburgh | University of Glasgow
edinburg napier | Edinburgh Napier University | University of Edinburgh
heildelberg | Fachhochschule Heidelberg |
technische universitat munchen | Technische Universität München | Technische Universität Berlin
universitat technische munchen | Technische Universität München |
aquila | University of Aquila |
al azhar | Al Azhar University | Al-Quds Open University
alazhar university of gaza | Al-Azhar University of Gaza | Al Azhar University
al-azhar university of gaza | Al-Azhar University of Gaza | Al Azhar University
bogota tadeo | Universidad de Bogotá "Jorge Tadeo Lozano" | Universidad de América Bogotá
universidade de sao paulo | Universidade de São Paulo | Universidade de Brasília
sao paulo universidade | Universidade de São Paulo |
universidad de chile | Universidad de Chile |
goteborg | Göteborg University | Karlstad University
university of gothenburg | Göteborg University |
łódź humanities | Academy of Humanities and Economics in Lodz |
lodz humanities | Academy of Humanities and Economics in Lodz |
zurich winterthur | Zurich University of Applied Sciences Winterthur | Universität Zürich
kioto arts | Kyoto City University of Arts | Tokyo University of Agriculture
tsinghua | Tsinghua University | Peking University
tsingua | Tsinghua University | Peking University
peking | Peking University | Tsinghua University
normal beijing | Beijing Normal University | Peking University
seoul national university | Seoul National University | Seoul Hanyoung University
nariobi university | University of Nairobi | Nairobi Technical Training Institute
cape town university | University of Cape Town | American International School of Cape Town
melborne university | University of Melbourne | Royal Melbourne Institute of Technology
sydeny technology | University of Technology Sydney | University of Sydney
auckland university of | Auckland University of Technology | Rockland Community College
california berkeley | University of California, Berkeley | University of California, Los Angeles
texas am commerce | Texas A&M University - Commerce | Texas A&M International University
texas a&m commerce | Texas A&M University - Commerce |
arizona state | Arizona State University | University of Arizona
georgia institute technology | Georgia Institute of Technology | Georgia State University
carnegie melon | Carnegie Mellon University | Swansea University
kings college london | King's College London, University of London | King's College
queens belfast | The Queen's University Belfast |
dublin trinity | University of Dublin, Trinity College | Trinity College (CT)
leuven katholieke universiteit | Katholieke Universiteit Leuven | Katholieke Hogeschool Leuven
charls university prague | Charles University Prague | Charles Sturt University
eotvos lorand | Eötvös Lorand University |
bogazici | Boğaziçi University |
mohammed v souissi | Université Mohammed V - Souissi | Université Mohammed V - Agdal
sidi mohamed | Université Sidi Mohammed Ben Abdellah |
polytechnique ecole montreal | École Polytechnique de Montréal, Université de Montréal | École Polytechnique
indian institute technology bombay | Indian Institute of Technology, Bombay | Indian Institute of Technology, Delhi
`;

export const REAL_QUERIES = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [query = '', first = '', others = ''] = line.split('|').map((cell) => cell.trim());
    return { query, first, never: others.split(';').flatMap((name) => name.trim() || []) };
  });
