import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { basename, join } from 'node:path';
import { fileNow } from './fileClock';
import { readBoundedSync } from './readFile';
import { tryTo } from './home';

/*
 * Ownership of files in folders shared by several hosts. NFS has atomic creation and renaming, but no
 * reliable locks, so owners on other hosts count as alive until their heartbeat (the modification time) is
 * overdue.
 */

/** Identifies a process uniquely across time, hosts and containers. */
export interface Owner {
  /** A hash of the host's name, the machine's id, the boot's id and the pid namespace. */
  host: string;
  pid: number;
  /** The process's start time in system units; 0 if unknown. */
  started: number;
}

/** A heartbeat this old is overdue, even if two clocks differ by a minute. */
export const overdueMs = 120_000;

const mostText = 1 << 16;
let own: Owner | undefined;

export function thisOwner(): Owner {
  return (own ??= { host: hostOf(), pid: process.pid, started: stateOf(process.pid)?.started ?? 0 });
}

export function ownerToken({ host, pid, started }: Owner): string {
  return `${host}-${pid}-${started}`;
}

export function ownerFrom(token: string): Owner | undefined {
  const [, host, pid, started] = /^([0-9a-f]{16})-(\d+)-(\d+)$/.exec(token) ?? [];
  return host === undefined ? undefined : { host, pid: Number(pid), started: Number(started) };
}

const futures = new Map<string, { mtimeMs: number; since: number }>();

/**
 * The milliseconds since a file's last heartbeat. If a clock that is ahead dated the heartbeat, its date says nothing.
 * Then the time counts during which this process has seen no other heartbeat.
 */
export function silenceOf(path: string, mtimeMs: number): number {
  const silentMs = fileNow(path) - mtimeMs;
  if (silentMs >= -overdueMs) return Math.max(0, silentMs);
  const seen = futures.get(path);
  if (seen?.mtimeMs === mtimeMs) return performance.now() - seen.since;
  futures.set(path, { mtimeMs, since: performance.now() });
  return 0;
}

/** Whether a process no longer uses its files. Its last heartbeat was `silentMs` ago. */
export function hasEnded(owner: Owner | undefined, silentMs: number, limitMs = overdueMs): boolean {
  const isThere = owner?.host === thisOwner().host ? isRunning(owner) : undefined;
  return isThere === undefined ? silentMs > limitMs : !isThere;
}

/** Whether the process still runs. Undefined if its id may belong to a different process by now. */
function isRunning({ pid, started }: Owner): boolean | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const state = stateOf(pid);
  if (state === undefined || started === 0) return undefined;
  return state.started === started && !state.isZombie;
}

function stateOf(pid: number): { started: number; isZombie: boolean } | undefined {
  try {
    const stat = readBoundedSync(`/proc/${pid}/stat`, mostText).toString('latin1');
    // The process name before these fields may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { started: Number(fields[19]), isZombie: fields[0] === 'Z' };
  } catch {
    return undefined;
  }
}

function hostOf(): string {
  const machine = tryTo(() => String(readBoundedSync('/etc/machine-id', mostText)).trim());
  // Without a boot id, the boot time identifies the boot. It is rounded, because it is the difference of two clocks
  // and varies slightly.
  const boot =
    tryTo(() => String(readBoundedSync('/proc/sys/kernel/random/boot_id', mostText)).trim()) ??
    String(Math.round((Date.now() / 1000 - uptime()) / 600));
  const namespace = tryTo(() => readlinkSync('/proc/self/ns/pid'));
  return createHash('sha256')
    .update(JSON.stringify([hostname(), machine, boot, namespace]))
    .digest('hex')
    .slice(0, 16);
}

export const free = 'free';

const partName = /^(\..+\.)([^.]+)\.part$/;

/** Whether this is the name of an unfinished file. */
export function isPart(name: string): boolean {
  const token = partName.exec(name)?.[2];
  return token !== undefined && (token === free || ownerFrom(token) !== undefined);
}

/** Whether the process that wrote an unfinished file has ended or has released the file. */
export async function isLeft(folder: string, name: string): Promise<boolean> {
  if (!isPart(name)) return false;
  const token = partName.exec(name)![2];
  if (token === free) return true;
  const state = await stat(join(folder, name)).catch(() => undefined);
  return state !== undefined && hasEnded(ownerFrom(token), silenceOf(join(folder, name), state.mtimeMs));
}

/** Whether an unfinished file belongs to a process of another host. Only the user knows when that process has ended. */
export function isOfOtherHost(name: string): boolean {
  return ownerFrom(partName.exec(basename(name))?.[2] ?? '') !== undefined && !isOfThisHost(name);
}

/** Whether this host wrote an unfinished file. Another may still write, even if its heartbeat is overdue. */
export function isOfThisHost(name: string): boolean {
  const token = partName.exec(basename(name))?.[2] ?? '';
  return ownerFrom(token)?.host === thisOwner().host;
}

/** The name of an unfinished file after the current process claims or releases the file. */
export function renamedPart(name: string, to: 'own' | 'free'): string {
  return name.replace(partName, `$1${to === 'free' ? free : ownerToken(thisOwner())}.part`);
}
