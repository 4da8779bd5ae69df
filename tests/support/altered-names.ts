/** What was altered in a name of the catalogue, by the number in the table. */
export const ALTERATIONS: Readonly<Record<number, string>> = {
  1: 'a city or state is added',
  2: 'the country is added',
  3: 'a stop word is added or left out',
  4: 'Saint, University or Technology in another form',
  5: 'words are cut short',
  6: '"at", a comma or a hyphen stands where the name has another',
  7: 'a letter is wrong',
  8: 'a letter is wrong in each of two words',
  9: 'the words are in another order',
  10: 'accents are dropped or added, or the name is in its own script',
};

/** Drawn at random, and not adapted to the search. What is typed | the name | its country | alteration. */
const TABLE = `
sophia university tokyo | Sophia University | Japan | 1
vanderbilt university nashville | Vanderbilt University | United States | 1
northwestern university evanston | Northwestern University | United States | 1
gonzaga university spokane | Gonzaga University | United States | 1
makerere university kampala | Makerere University | Uganda | 1
tulane university new orleans | Tulane University | United States | 1
palamuru university telangana | Palamuru University | India | 1
gaziosmanpasa university tokat | Gaziosmanpasa University | Turkiye | 1
abasyn university peshawar, khyber pakhtunkhwa | Abasyn University Peshawar | Pakistan | 1
university of windsor ontario | University of Windsor | Canada | 1
university of san carlos ilocos | University of San Carlos | Philippines | 1
delijan payame noor university markazi | Delijan Payame Noor University | Iran | 1
xihua university si chuan | Xihua University | China | 1
adventist university of the philippines calabarzon | Adventist University of the Philippines | Philippines | 1
university of southern mindanao soccsksargen | University of Southern Mindanao | Philippines | 1
regent college, british columbia | Regent College | Canada | 1
help university kuala lumpur | HELP University | Malaysia | 1
pangasinan state university ilocos | Pangasinan State University | Philippines | 1
durham college, ontario | Durham College | Canada | 1
northwestern university of the philippines, ilocos | Northwestern University of the Philippines | Philippines | 1
cuny bronx community college united states | CUNY Bronx Community College | United States | 2
université de chlef algeria | Université de Chlef | Algeria | 2
university of wisconsin - madison us | University of Wisconsin - Madison | United States | 2
ashkelon academic college israel | Ashkelon Academic College | Israel | 2
pavlodar university kazakhstan | Pavlodar University | Kazakhstan | 2
universidad nacional agraria nicaragua | Universidad Nacional Agraria | Nicaragua | 2
universidade do oeste paulista brazil | Universidade do Oeste Paulista | Brazil | 2
universität siegen germany | Universität Siegen | Germany | 2
sakarya university turkey | Sakarya University | Turkiye | 2
universidad de oviedo spain | Universidad de Oviedo | Spain | 2
white mountains community college united states | White Mountains Community College | United States | 2
khana-e-noor institute of higher education afghanistan | Khana-e-Noor Institute of Higher Education | Afghanistan | 2
aksum university ethiopia | Aksum University | Ethiopia | 2
hokkaido tokai university japan | Hokkaido Tokai University | Japan | 2
carteret community college usa | Carteret Community College | United States | 2
badr university in cairo egypt | Badr University in Cairo | Egypt | 2
universidade regional do cariri brazil | Universidade Regional do Cariri | Brazil | 2
dalian university china | Dalian University | China | 2
university of bradford uk | University of Bradford | United Kingdom | 2
hochschule fulda germany | Hochschule Fulda | Germany | 2
universidad latina costa rica | Universidad Latina de Costa Rica | Costa Rica | 3
national university lesotho | National University of Lesotho | Lesotho | 3
southeast kentucky community technical college | Southeast Kentucky Community and Technical College | United States | 3
academy of humanities economics in lodz | Academy of Humanities and Economics in Lodz | Poland | 3
universidad libre costa rica | Universidad Libre de Costa Rica | Costa Rica | 3
academy economics in katowice | Academy of Economics in Katowice | Poland | 3
université mahajanga | Université de Mahajanga | Madagascar | 3
universidade lusíada angola | Universidade Lusíada de Angola | Angola | 3
université maine | Université du Maine | France | 3
national institute technology uttarakhand | National Institute of Technology Uttarakhand | India | 3
japan advanced institute of science technology | Japan Advanced Institute of Science and Technology | Japan | 3
baghdad college economic sciences university | Baghdad College of Economic Sciences University | Iraq | 3
the college of technology at riyadh | College of Technology at Riyadh | Saudi Arabia | 3
the university of agriculture makurdi | University of Agriculture Makurdi | Nigeria | 3
the university of targu jiu | University of Targu Jiu | Romania | 3
the university of debrecen | University of Debrecen | Hungary | 3
the university of trinidad and tobago | University of Trinidad and Tobago | Trinidad and Tobago | 3
el instituto tecnológico de occidente del estado de hidalgo | Instituto Tecnológico de Occidente del Estado de Hidalgo | Mexico | 3
la universidad pontificia bolivariana | Universidad Pontificia Bolivariana | Colombia | 3
la universidad monteávila | Universidad Monteávila | Venezuela, Bolivarian Republic of | 3
college of st. benedict | College of Saint Benedict | United States | 4
saint george's university | St. George's University | Grenada | 4
saint johns river state college | St. Johns River State College | United States | 4
mount st. vincent university | Mount Saint Vincent University | Canada | 4
saint petersburg state marine technical university | St. Petersburg State Marine Technical University | Russian Federation | 4
saint petersburg state university of culture and arts | St. Petersburg State University of Culture and Arts | Russian Federation | 4
saint martin's college | St. Martin's College | United States | 4
texas a&m univ. - college station | Texas A&M University - College Station | United States | 4
king's college london, u of london | King's College London, University of London | United Kingdom | 4
eastern new mexico uni-roswell campus | Eastern New Mexico University-Roswell Campus | United States | 4
davenport uni | Davenport University | United States | 4
tokai univ educational system | Tokai University Educational System | Japan | 4
espam formation univ | Espam Formation University | Benin | 4
yunnan agriculture univ. | Yunnan Agriculture University | China | 4
veer surendra sai university of tech | Veer Surendra Sai University of Technology | India | 4
college of tech at jeddah | College of Technology at Jeddah | Saudi Arabia | 4
kerman graduate university of tech | Kerman Graduate University of Technology | Iran | 4
indraprastha institute of information tech, delhi | Indraprastha Institute of Information Technology, Delhi | India | 4
international institute of information tech, bangalore | International Institute of Information Technology, Bangalore | India | 4
dhaka university of engineering and tech | Dhaka University of Engineering and Technology | Bangladesh | 4
al-buraimi univ coll | Al-Buraimi University College | Oman | 5
dubna intl uni nature society man | Dubna International University for Nature, Society and Man | Russian Federation | 5
richard stockton coll new jersey | Richard Stockton College of New Jersey | United States | 5
häme u applied sci | Häme University of Applied Sciences | Finland | 5
jis school med sci research | JIS School of Medical Science & Research | India | 5
fukushima med coll | Fukushima Medical College | Japan | 5
hanoi u architecture | Hanoi University of Architecture | Viet Nam | 5
osaka intl univ women | Osaka International University for Women | Japan | 5
shandong agri univ | Shandong Agricultural University | China | 5
moldova state agri u | Moldova State Agricultural University | Moldova, Republic of | 5
buddhist pali uni sri lanka | Buddhist and Pali University of Sri Lanka | Sri Lanka | 5
les roches gruyère univ applied sci | Les Roches Gruyère University of Applied Sciences | Switzerland | 5
u novi sad | University of Novi Sad | Serbia | 5
bindura u sci education | Bindura University of Science Education | Zimbabwe | 5
med univ varna | Medical University Varna | Bulgaria | 5
vladivostock state univ economics | Vladivostock State University of Economics | Russian Federation | 5
hbu | Houston Baptist University | United States | 5
bgsu | Bowling Green State University | United States | 5
ucad | Université Cheikh Anta Diop | Senegal | 5
bupt | Beijing University of Posts and Telecommunications | China | 5
arab american university at jenin | Arab American University - Jenin | Palestine, State of | 6
indiana wesleyan university - marion | Indiana Wesleyan University, Marion | United States | 6
university of wales at lampeter | University of Wales, Lampeter | United Kingdom | 6
wheaton college at norton ma | Wheaton College, Norton MA | United States | 6
university of alabama - huntsville | University of Alabama at Huntsville | United States | 6
universidad latinoamericana de ciencia y tecnologia - panamá | Universidad Latinoamericana de Ciencia y Tecnologia, Panamá | Panama | 6
palestine technical university, kadoorie | Palestine Technical University - Kadoorie | Palestine, State of | 6
mohammad ali jinnah university at karachi | Mohammad Ali Jinnah University, Karachi | Pakistan | 6
middlesex university at london | Middlesex University - London | United Kingdom | 6
state university of new york college - brockport | State University of New York College at Brockport | United States | 6
universidad católica boliviana - santa cruz | Universidad Católica Boliviana, Santa Cruz | Bolivia, Plurinational State of | 6
mid sweden university | Mid-Sweden University | Sweden | 6
zhejiang sci tech university | Zhejiang Sci-Tech University | China | 6
institut des sciences de l'ingénieur de clermont ferrand | Institut des Sciences de l'Ingénieur de Clermont-Ferrand | France | 6
heinrich heine universität düsseldorf | Heinrich-Heine Universität Düsseldorf | Germany | 6
hochschule albstadt sigmaringen | Hochschule Albstadt-Sigmaringen | Germany | 6
yale nus | yale-NUS | Singapore | 6
new mexico state university alamogordo | New Mexico State University-Alamogordo | United States | 6
eberhard karls-universität tübingen | Eberhard-Karls-Universität Tübingen | Germany | 6
belarusian russian university | Belarusian-Russian University | Belarus | 6
james a rhodes state clolege | James A Rhodes State College | United States | 7
univesrität der bundeswehr münchen | Universität der Bundeswehr München | Germany | 7
unviersitas islam bandung | Universitas Islam Bandung | Indonesia | 7
washintgon & jefferson college | Washington & Jefferson College | United States | 7
tompkins cortland communtiy college | Tompkins Cortland Community College | United States | 7
bob jones univerity | Bob Jones University | United States | 7
piedmont virginia communiy college | Piedmont Virginia Community College | United States | 7
ferghana politchnical institute | Ferghana Politechnical Institute | Uzbekistan | 7
lihuania christian college | Lithuania Christian College | Lithuania | 7
renaissane university | Renaissance University | Nigeria | 7
philannder smith college | Philander Smith College | United States | 7
uniiversitas indonusa esa unggul | Universitas Indonusa Esa Unggul | Indonesia | 7
finger lakes communiity college | Finger Lakes Community College | United States | 7
rockhhurst college | Rockhurst College | United States | 7
nazzarbayev university | Nazarbayev University | Kazakhstan | 7
shokei collrge | Shokei College | Japan | 7
ecole nationale supérieure electrocité et mécanique | Ecole Nationale Supérieure Electricité et Mécanique | France | 7
south eastern kenya univeraity | South Eastern Kenya University | Kenya | 7
river parishes commumity college | River Parishes Community College | United States | 7
istanbul medeniyet universitt | Istanbul Medeniyet University | Turkiye | 7
quinnpiac collegee | Quinnipiac College | United States | 8
universidd de la defensa naconal | Universidad de la Defensa Nacional | Argentina | 8
the federak pokytechnic offa | The Federal Polytechnic Offa | Nigeria | 8
tbiliai state universty | Tbilisi State University | Georgia | 8
krok economiccs and law univrsity | KROK Economics and Law University | Ukraine | 8
pädagogissche hochhschule freiburg | Pädagogische Hochschule Freiburg | Germany | 8
kaliningard state technical univversity | Kaliningrad State Technical University | Russian Federation | 8
sungoknghoe unversity | Sungkonghoe University | Korea, Republic of | 8
cuny batuch clolege | CUNY Baruch College | United States | 8
uniiversidad tecnológoca san antonio de machala | Universidad Tecnológica San Antonio de Machala | Ecuador | 8
west goergia technicla college | West Georgia Technical College | United States | 8
iowa lakes communoty collehe | Iowa Lakes Community College | United States | 8
universidadr estadaul sudoeste da bahia | Universidade Estadual Sudoeste da Bahia | Brazil | 8
universsidad de ciencias y humanidsdes | Universidad de Ciencias y Humanidades | Peru | 8
gaziante univerrsity | Gaziantep University | Turkiye | 8
coloraod coommunity college system | Colorado Community College System | United States | 8
universits ibn khaldum bogor | Universitas Ibn Khaldun Bogor | Indonesia | 8
universiddad nacional autonoma de nicaraggua | Universidad Nacional Autonoma de Nicaragua | Nicaragua | 8
yokkaichhi univeersity | Yokkaichi University | Japan | 8
janus paannonius umiversity | Janus Pannonius University | Hungary | 8
kisangani université | Université de Kisangani | Congo, the Democratic Republic of the | 9
guanajuato universidad | Universidad de Guanajuato | Mexico | 9
holy cross university | University of Holy Cross | United States | 9
montenegro university | University of Montenegro | Montenegro | 9
rochelle université | Université de La Rochelle | France | 9
cape coast university | University of Cape Coast | Ghana | 9
gerona universidad | Universidad de Gerona | Spain | 9
cuenca universidad | Universidad de Cuenca | Ecuador | 9
craiova university | University of Craiova | Romania | 9
school of economics warsaw | Warsaw School of Economics | Poland | 9
university of applied sciences ventspils | Ventspils University of Applied Sciences | Latvia | 9
university of medical sciences golestan | Golestan University of Medical Sciences | Iran | 9
college of liberal arts european | European College of Liberal Arts | Germany | 9
university of karatina | Karatina University | Kenya | 9
college of iact | Iact College | Malaysia | 9
university pamir | Pamir University | Afghanistan | 9
university of al-baha | Al-baha University | Saudi Arabia | 9
women's university jissen | Jissen Women's University | Japan | 9
university of pathumthani | Pathumthani University | Thailand | 9
university saitama | Saitama University | Japan | 9
johann wolfgang goethe universitat frankfurt am main | Johann Wolfgang Goethe Universität Frankfurt am Main | Germany | 10
institut superieure d'electronique de paris | Institut Supérieure d'Electronique de Paris | France | 10
ecole nationale superieure de chimie de mulhouse | Ecole Nationale Supérieure de Chimie de Mulhouse | France | 10
universidad autonoma de manizales | Universidad Autónoma de Manizales | Colombia | 10
universite du quebec a rimouski | Université du Québec à Rimouski | Canada | 10
universidad jose cecilio del valle | Universidad José Cecilio del Valle | Honduras | 10
école centrale de nantes | Ecole Centrale de Nantes | France | 10
zhdk - zürich university of the arts | ZHdK - Zurich University of the Arts | Switzerland | 10
universidade católica portuguesa | Universidade Catolica Portuguesa | Portugal | 10
poznań school of banking | Poznan School of Banking | Poland | 10
河北美术学院 | Hebei Academy of Fine Art | China | 10
遼寧大學 | Liaoning University | China | 10
埼玉県立大学 | Saitama Prefectural University | Japan | 10
신경대학교 | Shingyeong University | Korea, Republic of | 10
جامعة سوهاج | Sohag University | Egypt | 10
Харківський національний економічний університет імені Семена Кузнеця | Kharkiv National University of Economics | Ukraine | 10
ΕΛΜΕΠΑ | Hellenic Mediterranean University | Greece | 10
המרכז האקדמי למשפט ולעסקים | Acdemic Center for Law and Business | Israel | 10
มหาวิทยาลัยศรีนครินทรวิโรฒ | Srinakharinwirot University | Thailand | 10
पंजाब विश्वविद्यालय | Panjab University | India | 10
`;

export const ALTERED_NAMES = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [query = '', name = '', country = '', alteration = ''] = line.split(' | ');
    return { query, name, country, alteration: Number(alteration) };
  });
