/* robots.txt as RFC 9309 describes it: the longest matching rule of the most specific group decides. */

export interface Robots {
  /** Whether the rules allow a path with its query. */
  allows(path: string): boolean;
  /** The seconds between requests that the rules ask for. */
  delay: number | undefined;
}

interface Rule {
  allow: boolean;
  path: string;
}

interface Group {
  agents: string[];
  rules: Rule[];
  delay?: number;
}

const mostRules = 10_000;

export const allowsAll: Robots = { allows: () => true, delay: undefined };

export function parseRobots(content: string, agent: string): Robots {
  const groups = groupsIn(content);
  const named = groups.filter(({ agents }) => agents.includes(agent));
  const own = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'));
  const rules = own.flatMap((group) => group.rules).sort((a, b) => b.path.length - a.path.length);
  return {
    allows: (path) => {
      const matching = rules.filter((rule) => matches(rule.path, path));
      const longest = matching.filter((rule) => rule.path.length === matching[0].path.length);
      // Of equally long rules, the one that allows counts.
      return longest.length === 0 || longest.some(({ allow }) => allow);
    },
    delay: own.find(({ delay }) => delay !== undefined)?.delay,
  };
}

function groupsIn(content: string): Group[] {
  const groups: Group[] = [];
  let named = false;
  let count = 0;
  for (const line of content.split(/\r\n|\r|\n/)) {
    const found = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line);
    if (found === null) continue;
    const [key, value] = [found[1].toLowerCase(), found[2].trim()];
    if (key === 'user-agent') {
      // Several names in a row share the rules after them.
      if (!named) groups.push({ agents: [], rules: [] });
      groups.at(-1)!.agents.push(value.toLowerCase());
      named = true;
      continue;
    }
    const group = groups.at(-1);
    if (group === undefined || count++ > mostRules) continue;
    if (key === 'allow' || key === 'disallow') {
      named = false;
      if (value !== '') group.rules.push({ allow: key === 'allow', path: value });
    } else if (key === 'crawl-delay') {
      named = false;
      if (Number(value) >= 0) group.delay = Number(value);
    }
  }
  return groups;
}

/** `*` stands for any characters, and `$` at the end for the end of the path. Takes time in proportion to the path. */
function matches(rule: string, path: string): boolean {
  const toEnd = rule.endsWith('$');
  const parts = (toEnd ? rule.slice(0, -1) : rule).split('*');
  if (!path.startsWith(parts[0])) return false;
  let at = parts[0].length;
  for (const [i, part] of parts.slice(1).entries()) {
    const isLast = i === parts.length - 2;
    const found = isLast && toEnd ? path.length - part.length : path.indexOf(part, at);
    if (found < at || !path.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return !toEnd || at === path.length;
}
