import { Check } from './checks';
import { Triplets } from './triplets';

const workshop = document.getElementById('workshop');
if (workshop === null) new Check(document.getElementById('human-check')!);
else new Triplets(workshop);
