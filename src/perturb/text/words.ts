/** Word lists for the rules that change captions. */

export const list = (text: string): ReadonlySet<string> =>
  new Set(text.split(/\s+/).filter((word) => word !== ''));

/** Words such as "riding" that are verbs after a noun, even if the tagger calls them nouns. */
export const actions = list(`
  standing sitting lying laying grazing walking running riding flying playing eating drinking looking posing leaning jumping
  waiting sleeping resting swimming floating hanging feeding surfing skiing skateboarding snowboarding biking bicycling
  kneeling crouching bending reaching smiling talking laughing watching holding carrying wearing using pulling pushing
  driving traveling travelling moving turning passing crossing approaching landing gliding soaring perched roaming
  wandering preparing cooking cutting slicing brushing washing cleaning reading writing working typing taking making
  throwing catching kicking hitting swinging pitching batting serving chasing climbing performing doing trying getting
  going coming heading leading following herding rowing paddling sailing boating fishing lounging laying relaxing chewing
  licking biting sniffing nuzzling hugging kissing petting stroking touching feeding pointing staring gazing peering
  peeking parking stopping rounding racing competing dancing singing speaking celebrating gathering crossing descending
  boarding exiting entering loading unloading selling buying shopping browsing blowing shining growing blooming
`);

export const ingNouns = list(`
  building buildings ceiling ceilings painting paintings railing railings clothing evening morning wedding string king ring
  wing wings swing awning crossing bedding siding lighting flooring seating topping dressing landing parking drawing opening
  covering tubing icing frosting pudding stuffing dining living meeting outing thing things nothing something everything
  anything fling sling duckling gosling sibling spring setting gathering writing dwelling carving filling wiring fencing
  paneling curtain molding moulding station shopping skating clearing covering greeting serving
`);

/** Verbs in -s that the tagger may take for plurals, between a noun and a word that starts a phrase. */
export const verbsInS = list(`
  sits stands grazes rides walks runs looks lies lays holds plays eats flies rests waits poses leans jumps sleeps hangs
  wears carries watches talks swings rolls travels passes pulls hits catches throws swims works drives moves crosses takes
  makes uses cuts reads feeds smiles surfs skis skateboards snowboards kicks bites chews drinks floats approaches heads
  goes comes gets shows displays features sports overlooks surrounds covers fills lines tops follows chases leads pushes
  reaches stares gazes peers peeks points serves prepares performs attempts tries kneels crouches bends lands speaks stops
  turns grazes roams wanders perches gathers blows shines grows sells cooks brushes
`);

/** Past participles that may follow a noun: "a car parked on the street". */
export const states = list(`
  parked seated dressed filled covered topped made placed perched stacked piled lined displayed located surrounded
  decorated gathered mounted attached loaded tied hung painted set laid cut prepared served arranged packed stuffed
  wrapped posed huddled crowded scattered positioned posted plugged pulled propped docked anchored moored stopped tucked
  stored built situated equipped furnished garnished spread adorned shown crammed clad lit
`);

/** Adjectives that the tagger sometimes mistakes for other words before a noun. */
export const adjectives = list(`
  large small big little long short tall high low old young new black white red blue green yellow orange pink purple brown
  gray grey dark light bright clear open empty full wooden white square round flat clean dirty wet dry cold hot warm
  beautiful pretty nice cute adorable colorful different various several many multiple numerous assorted busy crowded grassy
  snowy sandy rocky sunny cloudy modern antique vintage fancy huge tiny lone single double female male stuffed baked fried
  grilled paved tiled fenced wooded parked striped plaid plastic metal glass stone brick leather stainless silver gold living
`);

/** Words of quantity that are not numerals. */
export const quantifiers = list('several many multiple numerous various some few different assorted');
export const manyWords = list(
  'two three four five six seven eight nine ten eleven twelve several many multiple numerous various few different assorted both these those',
);

export const determiners = list('a an the some another this these those one each every');
export const possessives = list('his her their its my your our');

/** Prepositions of place. Their phrases may move within the sentence. */
export const places = list(
  'on in at near beside under underneath beneath behind above along across down up through into over around by inside outside atop against between among towards toward onto past amongst',
);

export const irregularPlurals = list(
  'people men women children kids sheep geese mice feet teeth cattle police fishermen policemen firemen snowmen clothes pants jeans shorts glasses scissors sunglasses skis goods',
);
/** Words in -s that are not plurals, such as "bus" and "tennis". */
export const singularInS = list(
  'bus grass glass dress tennis class mass chess cross moss brass canvas bass lens gas congress boss mattress compass hummus asparagus octopus platypus cactus circus campus christmas swiss walrus hippopotamus rhinoceros news compress walrus princess harness windowless atlas iris pus plus address across process mess',
);

/** Nouns for living beings. Some rules require such a noun as the subject. */
export const beings = list(`
  man men woman women person people boy boys girl girls child children kid kids baby babies toddler toddlers lady ladies guy
  guys couple adult adults player players skier skiers surfer surfers rider riders batter batters pitcher catcher chef chefs
  worker workers officer officers policeman policemen fireman firemen student students tourist tourists farmer farmers
  skateboarder skateboarders snowboarder snowboarders cyclist cyclists motorcyclist motorcyclists athlete athletes teenager
  teenagers teen mother mothers father fathers family families crowd crowds team group groups soldier soldiers bride groom
  businessman gentleman gentlemen friends friend pedestrian pedestrians passengers vendor cowboy cowboys cook skaters skater
  bicyclist bicyclists biker bikers male female
  dog dogs puppy puppies cat cats kitten kittens horse horses cow cows bull bulls sheep lamb lambs goat goats bird birds duck
  ducks goose geese swan swans pigeon pigeons seagull seagulls parrot parrots owl eagle elephant elephants giraffe giraffes
  zebra zebras bear bears polar lion lions tiger monkey monkeys deer herd flock animal animals calf pony ponies
`);

export const people = list(`
  man men woman women person people boy boys girl girls child children kid kids baby babies toddler toddlers lady ladies guy
  guys adult adults player players skier skiers surfer surfers rider riders batter batters pitcher catcher chef chefs worker
  workers officer officers policeman policemen fireman firemen student students tourist tourists farmer farmers skateboarder
  skateboarders snowboarder snowboarders cyclist cyclists motorcyclist motorcyclists athlete athletes teenager teenagers teen
  mother mothers father fathers soldier soldiers businessman gentleman gentlemen pedestrian pedestrians vendor cowboy cowboys
  cook skater skaters bicyclist bicyclists biker bikers couple friend friends
`);

/** Nouns that name the setting of a whole scene. */
export const scenes = list(`
  park field kitchen bathroom bedroom room restaurant office yard backyard garden pasture meadow forest zoo street city beach
  ocean sea desert snow rain airport station harbor stadium lake river gym garage pool woods water
`);

/** Words for images and for things that show something, such as clocks. Many rules skip captions about them. */
export const imageNouns = list(`
  view views overview glimpse picture pictures photo photos photograph photographs image images shot shots close closeup close-up portrait
  scene painting drawing poster sign signs reflection mirror screen collage silhouette sketch statue sculpture side top
  back front part display advertisement ad clock television tv video look photographed
`);

/** Places that captions describe by what is in them, as in "a kitchen with a stove". */
export const containers = list(`
  kitchen bathroom bedroom restroom room house building church tower office apartment garage street city town park yard
  backyard garden restaurant store shop cafe library hallway lobby station harbor beach home lounge studio
`);

export const alwaysCapital = list(`
  african american asian australian brazilian british canadian chinese cuban dutch english european french german greek
  indian irish italian japanese korean mexican russian spanish swedish swiss thai turkish vietnamese christmas halloween
  easter thanksgiving january february april june july august september october november december monday tuesday wednesday
  thursday friday saturday sunday santa mickey
`);

/** Verbs that can look like nouns after a noun: "two men stand by a bus". */
export const verbsOrNouns = list(`
  stand smile walk ride play look lay lie pose wait rest work watch talk run jump swing roll pass pull hit catch throw move
  cross cut feed cook float approach show cover fill line top lead reach stop turn fish surf ski skate graze sit hold hang
  stare gaze race fly sleep drink travel drive prepare perform lean gather hug kiss dance slide board paddle peer peek bike
`);
