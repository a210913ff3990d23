import { answerWithin, get, type AppProcess, ListeningPage, request } from '@detector-cluster/local-cluster';
import { writeFile } from 'node:fs/promises';
import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage } from '../support/chaos-stage.js';
import { MasterWatch } from '../support/master-watch.js';
import { pause, until } from '../support/until.js';
import { Gauges } from './gauges.js';
import { type Growth, grows, growthOf, isUnclear, type Limits, noticedFrom } from './measures.js';
import { RedisGauge } from './redis-gauge.js';
import { RowChanges } from './row-changes.js';
import { soakReport } from './soak-report.js';
import { SoakRecords } from './soak-records.js';

/** The first backends and the first host of workers live through the run. The last of each is killed again and again. */
const BACKENDS = 3;
const SURVIVORS = BACKENDS - 1;
const WORKERS_PER_HOST = 2;
const CAMERAS = 40;
/** Pages that are open at each backend that is not killed. With each sample one comes and the oldest leaves. */
const PAGES = 2;

/** What operators and their tools read. */
const READ = ['/metrics', '/api/cluster/state', '/api/cluster/events', '/api/detections/recent'];

/** Milliseconds. */
const CHANGE_EVERY = 1_000;
const KILL_EVERY = 30_000;
const LOOK = 1_000;
const TIMEOUT = 120_000;

/** In the first part of a run, code is compiled, and buffers with a limit fill up. */
const WARM_UP_SHARE = 0.25;
const HOUR = 3_600_000;

/** A run of so many hours must tell a growth by a limit from noise. */
const DECIDES = 1;

/**
 * Times in milliseconds; growth in units of the measure per hour, beyond doubt. A short run cannot tell less from the noise. It has
 * other programs beside it, so it does less.
 */
const FULL = {
  perSecond: 1_000,
  every: 15_000,
  fewestSamples: 40,
  leastLoad: 0.8,
  limits: { heap: 1, sockets: 60, timers: 60, listeners: 60, keys: 60, data: 1 } satisfies Limits,
};
const SHORT = {
  perSecond: 200,
  every: 5_000,
  fewestSamples: 15,
  leastLoad: 0.25,
  limits: { heap: 120, sockets: 240, timers: 600, listeners: 600, keys: 600, data: 120 } satisfies Limits,
};

/**
 * A cluster works for hours, while a process is killed every 30 s, rows change every second, and pages come and leave. What a
 * surviving process or Redis holds must not grow.
 */
export async function soakScenario(context: ScenarioContext): Promise<Figures> {
  const { every, perSecond } = context.short ? SHORT : FULL;
  const gauges = await Gauges.create(every);
  const env = { DETECTIONS_PER_SECOND: String(perSecond / CAMERAS), ...gauges.env };
  const options = {
    backends: BACKENDS,
    cameras: CAMERAS,
    ownRedis: {},
    hosts: ['workers-1', 'workers-2'].map((name) => ({ name, workers: WORKERS_PER_HOST, env })),
    // A measurement stops a process. Where others take the processors, it stops for longer than a short lease.
    backendEnv: { ELECTION_TIMING: 'default', RECENT_DETECTIONS: '100', ...gauges.env },
  };
  try {
    return await ChaosStage.with(context, options, (stage) => new Soak(context, stage, gauges).run());
  } finally {
    await gauges.close();
  }
}

class Soak {
  private readonly records = new SoakRecords();
  private readonly changes = new RowChanges(CAMERAS);
  /** By the URL of their backend. */
  private readonly pages = new Map<string, ListeningPage[]>();
  private readonly kills: number[] = [];
  private mastersKilled = 0;
  private delivered = 0;
  private readonly deliveredBy = new Map<AppProcess, number>();
  private readonly watch: MasterWatch;
  private readonly redis: RedisGauge;
  private readonly start = Date.now();
  private readonly warm: number;
  private readonly end: number;
  /** Aborts when enough is measured, or when something fails. */
  private readonly over = new AbortController();

  constructor(
    private readonly context: ScenarioContext,
    private readonly stage: ChaosStage,
    private readonly gauges: Gauges,
  ) {
    this.watch = new MasterWatch(stage.cluster.backends, stage.history);
    this.redis = new RedisGauge(stage.redis!, stage.cluster.keyPrefix);
    this.end = this.start + context.hours * HOUR;
    this.warm = this.start + context.hours * HOUR * WARM_UP_SHARE;
  }

  async run(): Promise<Figures> {
    const { every } = this.form;
    try {
      await Promise.all([
        this.repeat(CHANGE_EVERY, (n) => this.changes.change(this.survivors[n % SURVIVORS]!.url)),
        this.repeat(KILL_EVERY, (n) => (n === 0 ? Promise.resolve() : this.kill(n))),
        this.repeat(LOOK, () => this.look()),
        this.repeat(every, () => this.use()),
      ]);
      this.context.signal.throwIfAborted();
      return await this.judge();
    } finally {
      this.over.abort();
      await Promise.all([...this.pages.values()].flat().map((page) => page.close()));
      await this.watch.end();
    }
  }

  private get form() {
    return this.context.short ? SHORT : FULL;
  }

  private get survivors(): AppProcess[] {
    return this.stage.cluster.backends.slice(0, SURVIVORS);
  }

  private get measured(): string[] {
    return [...this.survivors.map(({ name }) => name), this.stage.hosts[0]!.process.name];
  }

  /** Repeats `work` until the run is over. If it fails, the run fails. */
  private async repeat(ms: number, work: (n: number) => Promise<unknown>): Promise<void> {
    const signal = AbortSignal.any([this.over.signal, this.context.signal]);
    try {
      for (let n = 0; !signal.aborted; n++) {
        const next = performance.now() + ms;
        await work(n);
        await pause(Math.max(0, next - performance.now()), signal).catch(() => undefined);
      }
    } catch (error) {
      this.over.abort();
      throw error;
    }
  }

  /** In turn: the backend as master, the same as it is, the host of workers. Starts it again. */
  private async kill(n: number): Promise<void> {
    const backend = this.stage.cluster.backends.at(-1)!;
    const victim = n % 3 === 0 ? this.stage.hosts.at(-1)!.process : backend;
    if (n % 3 === 1) await this.makeMaster(backend);
    if (this.watch.master === victim) this.mastersKilled++;
    this.kills.push(Date.now());
    await victim.restart();
  }

  /** Has masters resign until this backend is master. */
  private async makeMaster(backend: AppProcess): Promise<void> {
    const { signal } = this.context;
    for (const end = performance.now() + TIMEOUT; performance.now() < end;) {
      const master = await until(signal, 'one master', () => this.watch.master);
      if (master === backend) return;
      await request(master.url, 'POST', '/api/cluster/master/resign', {}, TIMEOUT).catch(() => undefined);
      await until(signal, 'another master', () => this.watch.master !== master);
    }
  }

  /** Takes what processes have written. A process that is master holds more than one that is not. */
  private async look(): Promise<void> {
    const { measured } = this;
    for (const gauge of this.gauges.read())
      if (measured.includes(gauge.process))
        this.records.addGauge(gauge, gauge.process === this.watch.master?.name ? 'master' : 'follower');
    const enough = this.records.fewest(measured, this.warm) >= this.form.fewestSamples;
    if (Date.now() >= this.end && enough) this.over.abort();
  }

  /** Does what pages and operators do, and measures Redis. */
  private async use(): Promise<void> {
    for (const { url } of this.survivors) {
      const open = (this.pages.get(url) ?? []).filter(({ isOpen }) => isOpen);
      while (open.length <= PAGES) open.push(await ListeningPage.open(url));
      await open.shift()!.close();
      this.pages.set(url, open);
      for (const path of READ)
        await answerWithin(TIMEOUT, async () => {
          const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(TIMEOUT) });
          return answer.text();
        });
    }
    for (const backend of this.stage.cluster.backends) await this.count(backend);
    const { keys, data } = await this.redis.measure();
    const at = Date.now();
    this.records.add('redis', 'keys', { at, value: keys, group: '' });
    this.records.add('redis', 'data', { at, value: data, group: '' });
  }

  /** Adds what a backend has delivered. One that was killed counts from 0 again. */
  private async count(backend: AppProcess): Promise<void> {
    const answer = await get<{ delivered: number }>(backend.url, '/api/detections/stats').catch(() => null);
    if (answer === null) return;
    const before = this.deliveredBy.get(backend) ?? 0;
    this.deliveredBy.set(backend, answer.delivered);
    this.delivered += answer.delivered < before ? answer.delivered : answer.delivered - before;
  }

  /** Judges what was measured, and writes the report. */
  private async judge(): Promise<Figures> {
    const { limits, leastLoad, perSecond } = this.form;
    const { progress, report } = this.context;
    const hours = (Date.now() - this.start) / HOUR;
    const growth = growthOf(this.records.all, this.warm, limits);
    const growing = growth.filter(grows).map(nameOf);
    const unclear = growth.filter(isUnclear).map(nameOf);
    const detectionsPerSecond = Math.round(this.delivered / hours / 3_600);
    const { done: changes, failed: changesFailed } = this.changes;
    const { kills, mastersKilled } = this;
    const noticed = Math.max(...growth.filter(({ measure }) => measure === 'heap').map(noticedFrom));
    const figures = {
      ok:
        growing.length === 0 &&
        (this.context.hours < DECIDES || unclear.length === 0) &&
        mastersKilled > 0 &&
        detectionsPerSecond >= leastLoad * perSecond &&
        (changes * CHANGE_EVERY) / HOUR >= leastLoad * hours,
      growing,
      unclear,
      minutes: roundTo(hours * 60),
      detectionsPerSecond,
      changes,
      changesFailed,
      kills: kills.length,
      mastersKilled,
      changesOfMaster: this.watch.claims.changes,
      noticedFrom: {
        mbPerHour: roundTo(noticed),
        bytesPerDetection: roundTo((noticed * 2 ** 20) / ((detectionsPerSecond / BACKENDS) * 3_600)),
        kbPerKill: roundTo((noticed * 1_024 * hours) / kills.length),
      },
    };
    if (growing.length > 0) progress(`more keys in Redis than at first:\n${this.redis.added.join('\n')}`);
    const { start, warm } = this;
    const html = await soakReport({ start, warm, kills, series: this.records.all, growth, figures });
    await writeFile(report, html);
    progress(`the report is in ${report}`);
    return { ...figures, growth: byProcess(growth), report };
  }
}

const nameOf = ({ process, measure }: Growth): string => `${process} ${measure}`;

/** Figures of each process by measure, in its unit per hour: the growth, and the interval in which it is. */
function byProcess(growth: readonly Growth[]): Record<string, Record<string, number[]>> {
  const all: Record<string, Record<string, number[]>> = {};
  for (const { process, measure, perHour, least, most } of growth)
    (all[process] ??= {})[measure] = [perHour, least, most].map(roundTo);
  return all;
}

const roundTo = (value: number): number => Math.round(value * 100) / 100;
