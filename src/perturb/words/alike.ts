import widerLines from './same/inSpeech.json';

/**
 * Words that may both be true of one thing. Each line has a general word and its special cases, which exclude
 * each other unless "=" joins them as synonyms.
 */
const lines = `
  man=guy=gentleman father=dad husband son brother grandfather king prince cowboy businessman fireman=firefighter policeman=police
  woman=lady mother=mom wife daughter sister grandmother=grandma queen princess bride waitress policewoman businesswoman
  child=kid=baby=toddler boy girl son daughter
  dog puppy beagle husky poodle terrier dalmatian
  cat kitten
  cow=bull=ox calf
  sheep lamb
  horse pony
  whale dolphin
  bird seagull=gull pigeon=dove crow=raven owl eagle hawk falcon vulture parrot=parakeet duck goose swan rooster hen peacock ostrich flamingo pelican stork=heron robin sparrow finch hummingbird penguin
  crow=raven=blackbird
  turtle=tortoise
  frog=toad
  lizard iguana
  bee=insect=bug beetle ant fly mosquito butterfly dragonfly
  car=taxi=cab=jeep=limousine=van
  bus=van
  truck=pickup tractor
  bike=bicycle=motorcycle=motorbike=moped=scooter
  train=subway=locomotive=trolley=tram
  airplane=plane=jet=jetliner=airliner=biplane=seaplane=aircraft
  boat=ship=vessel sailboat=yacht canoe=kayak raft rowboat speedboat=motorboat ferry gondola barge
  photo=photograph=picture=image portrait
  picture=painting=drawing=sketch=cartoon=poster=mural=portrait
  phone=cellphone=smartphone=telephone=mobile=cell
  tv=television=monitor=screen
  computer=laptop=tablet=pc monitor keyboard
  headset=headphones
  radio=stereo=speaker
  camera=phone
  couch=sofa=loveseat=recliner
  chair=armchair=recliner=stool=seat
  bed=mattress=crib
  dresser=drawer=wardrobe=cabinet
  shelf=bookshelf=bookcase
  table=desk=nightstand
  rug=carpet=mat
  blanket=quilt
  cup=mug glass goblet
  plate=saucer=platter=tray=dish
  bowl=dish
  pot=pan=skillet
  jar=pitcher=bottle
  fridge=refrigerator=freezer
  oven=stove=microwave
  tub=bathtub=bath shower
  sink=faucet=basin
  box=crate=carton=basket
  bucket=bin=barrel
  bag=sack=purse=handbag=backpack=tote=briefcase
  suitcase=luggage=bag
  glasses=sunglasses=goggles
  necklace=bracelet=jewelry
  shirt=t-shirt=blouse=top
  sweater=sweatshirt=hoodie
  jacket=coat=hoodie=vest
  suit=uniform=costume
  dress=gown=robe
  shoe=sneaker=boot=sandal
  hat=cap=beanie=helmet
  pants=jeans=trousers
  tie=scarf
  bat=racket=racquet
  ball=baseball=football=basketball=volleyball
  football=soccer
  skateboard=board
  surfboard=board
  snowboard=board
  donut=doughnut=pastry=dessert
  burger=hamburger=cheeseburger
  sandwich=burger=hamburger=hotdog
  pasta=spaghetti=noodle=lasagna
  soup=stew=chili=curry
  salad=vegetable=lettuce
  omelet=omelette=egg
  meat=beef=pork=ham=bacon=sausage=steak=chicken=pepperoni=roast=barbecue
  fish=salmon=tuna=shrimp=sushi
  bread=bun=roll=toast=bagel
  cake=cupcake=cheesecake=pastry=dessert
  cookie=biscuit
  pie=tart
  pancake=waffle
  cream=icing=frosting=glaze
  jam=jelly
  orange=tangerine=grapefruit
  melon=watermelon=cantaloupe
  strawberry=raspberry=blueberry
  cucumber=zucchini=pickle
  pumpkin=squash
  soda=cola=pop
  wine=champagne
  drink=beverage soda cola pop wine champagne beer juice coffee tea milkshake smoothie
  milkshake=smoothie
  street=road=highway=lane=alley=driveway
  path=sidewalk=trail
  railroad=tracks=track
  city=town=village=neighborhood
  park=garden=yard=plaza=playground
  house=cottage=home=cabin
  restaurant=cafe=diner
  store=supermarket=shop=market
  church=temple=cathedral
  stadium=arena
  hall=hallway=corridor=lobby
  attic=basement=cellar
  fence=gate
  stoplight=streetlight=lamppost
  ceiling=roof
  staircase=stairs
  ocean=sea=water=bay=lagoon
  lake=pond=pool=lagoon
  river=stream=creek=canal
  beach=shore=coast
  hill=slope=mountain
  field=meadow=grass=savanna
  forest=jungle=woods
  sand=dirt=mud=soil=gravel
  grass=hay
  bush=shrub=tree
  tree=palm
  flower=rose=tulip=daisy=sunflower=lily=lavender
  storm=rain=lightning
  fog=mist
  gray=grey silver
  red=crimson=scarlet=maroon
  blue=navy=turquoise=teal
  turquoise=teal
  purple=violet=lavender=magenta
  pink=magenta
  brown=tan=beige
  beige=tan=ivory
  white=ivory
  book=notebook=magazine
  pencil=marker=pen
  letter=envelope
  rope=chain
  violin=guitar
  middle=center=centre
  edge=side=corner=end
  inside=interior
  outside=exterior
  bottom=underside
  back=rear=background
  front=foreground
  pile=stack=heap=bunch
  group=bunch=bundle=cluster=pack=set=collection
  trick=stunt=maneuver jump flip spin kick
  slice=piece
  hand=arm=finger=thumb=wrist
  leg=knee=foot=ankle=toe
  head=face
  mouth=lip=tongue
  chin=cheek
  circle=round
  metal=steel=iron=aluminum=silver=bronze=copper
  stone=rock=marble=granite
  fabric=cotton=linen=silk=denim=wool
  ceramic=porcelain
  wicker=bamboo
  concrete=cement
  festival=celebration=party=parade=ceremony
  evening=night
  autumn=fall
  england=london=europe
  france=paris
  italy=rome
  america=california=texas=chicago=boston=seattle
`;

type Table = ReadonlyMap<string, ReadonlySet<string>>;

let table: Table | undefined;
let widerTable: Table | undefined;

function built(lines: string): Table {
  const found = new Map<string, Set<string>>();
  const both = (a: string, b: string): void => {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ])
      found.set(one, (found.get(one) ?? new Set()).add(other));
  };
  for (const line of lines.trim().split('\n')) {
    const [general, ...kinds] = line
      .trim()
      .split(' ')
      .map((part) => part.split('='));
    for (const part of [general, ...kinds]) {
      for (const word of part) {
        for (const same of part) if (same !== word) both(word, same);
        for (const one of general) if (one !== word) both(one, word);
      }
    }
  }
  return found;
}

/** Whether two singular nouns may name one thing: a caption could stay true if one replaces the other. */
export function mayBothBeTrue(a: string, b: string): boolean {
  table ??= built(lines);
  return a === b || table.get(a)?.has(b) === true;
}

/** Whether people may call one thing by both singular nouns. This is so for more nouns than `mayBothBeTrue` says. */
export function mayBothBeSaid(a: string, b: string): boolean {
  widerTable ??= built(widerLines.join('\n'));
  return mayBothBeTrue(a, b) || widerTable.get(a)?.has(b) === true;
}
