type Double<T extends unknown[]> = [...T, ...T];
type Bomb<N extends number, T extends unknown[] = [1]> = T["length"] extends N ? T : Bomb<N, Double<T>>;

const bomb: Bomb<1000000001> = [] as any;
console.log("?");
