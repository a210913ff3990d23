import { DockerfileParser, type Copy, type From, type Instruction } from 'dockerfile-ast';

export interface CopyStep {
  readonly kind: 'copy';
  /** Stage to copy from; null: the build's context. */
  readonly from: string | null;
  readonly source: string;
  readonly target: string;
}

export interface RunStep {
  readonly kind: 'run';
  readonly command: string;
}

/** One stage of a Dockerfile, limited to the syntax that ours uses. */
export interface BuildStage {
  readonly name: string;
  /** Image or earlier stage. */
  readonly base: string;
  readonly steps: readonly (CopyStep | RunStep)[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | null;
  readonly command: readonly string[] | null;
  readonly healthcheck: string | null;
  readonly port: number | null;
}

type Draft = { -readonly [K in keyof BuildStage]: BuildStage[K] } & {
  steps: (CopyStep | RunStep)[];
  env: Record<string, string>;
};

const REST = new Set(['WORKDIR']);

/** The stages in order. Each includes the settings of its parent stage, but not its files. */
export function readDockerfile(text: string): BuildStage[] {
  const stages: Draft[] = [];
  /** Arguments of the build before its first stage, with their defaults. */
  const args = new Map<string, string>();
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') stages.push(begun(instruction as From, stages, args));
    else if (keyword === 'ARG' && stages.length === 0) {
      const [name, value] = instruction.getArgumentsContent()!.split('=') as [string, string];
      args.set(name, value);
    } else if (!REST.has(keyword)) apply(keyword, instruction, stages.at(-1)!);
  }
  return stages;
}

function begun(from: From, earlier: readonly Draft[], args: ReadonlyMap<string, string>): Draft {
  const base = from.getImage()!.replace(/^\$\{(\w+)\}$/, (_, name: string) => args.get(name)!);
  const name = from.getBuildStage()!;
  const parent = earlier.find((stage) => stage.name === base);
  const fresh = { user: null, command: null, healthcheck: null, port: null };
  return { ...fresh, ...parent, name, base, steps: [], env: { ...parent?.env } };
}

function apply(keyword: string, instruction: Instruction, stage: Draft): void {
  const content = instruction.getArgumentsContent()!;
  const words = instruction.getArguments().map((word) => word.getValue());
  switch (keyword) {
    case 'RUN':
      stage.steps.push({ kind: 'run', command: content });
      break;
    case 'COPY': {
      const flag = (instruction as Copy).getFromFlag()?.getValue() ?? null;
      for (const source of words.slice(0, -1))
        stage.steps.push({ kind: 'copy', from: flag, source, target: words.at(-1)! });
      break;
    }
    case 'ENV':
      for (const word of words) stage.env[word.split('=')[0]!] = word.split('=')[1]!;
      break;
    case 'USER':
      stage.user = content;
      break;
    case 'CMD':
      stage.command = JSON.parse(content) as string[];
      break;
    case 'EXPOSE':
      stage.port = Number(content);
      break;
    case 'HEALTHCHECK':
      stage.healthcheck = content;
      break;
    default:
      throw new Error(`cannot follow the instruction ${keyword}: add it to dockerfile.ts`);
  }
}
