/// Where the state of apps is kept, by the app's id and a name of the app's own. Each completion is called once, on the
/// thread of the event loop: at once, or later if the place is on a disk.
protocol StatePlace: AnyObject {
    /// Keeps the bytes in place of what was there. `completion` gets false if they are not kept.
    func store(app: String, name: String, bytes: [UInt8], completion: @escaping (Bool) -> Void)
    /// What is kept; nil: nothing.
    func load(app: String, name: String, completion: @escaping ([UInt8]?) -> Void)
    func forget(app: String, name: String)
}

/// Keeps state in memory: it survives the app, and not the shell.
final class StatesInMemory: StatePlace {
    private struct Key: Hashable {
        var app: String
        var name: String
    }

    private var kept: [Key: [UInt8]] = [:]
    /// By the last change, oldest first.
    private var order: [Key] = []
    private var bytes = 0
    private let most: Int

    /// - Parameter most: bytes in all. Beyond that the state that was stored longest ago is forgotten.
    init(most: Int = 64 << 20) { self.most = most }

    func store(app: String, name: String, bytes new: [UInt8], completion: @escaping (Bool) -> Void) {
        let key = Key(app: app, name: name)
        remove(key)
        kept[key] = new
        order.append(key)
        bytes += new.count
        while bytes > most || order.count > Self.mostStates, let oldest = order.first { remove(oldest) }
        completion(kept[key] != nil)
    }

    func load(app: String, name: String, completion: @escaping ([UInt8]?) -> Void) { completion(kept[Key(app: app, name: name)]) }

    func forget(app: String, name: String) { remove(Key(app: app, name: name)) }

    private func remove(_ key: Key) {
        guard let old = kept.removeValue(forKey: key) else { return }
        bytes -= old.count
        order.removeAll { $0 == key }
    }

    private static let mostStates = 4096
}
