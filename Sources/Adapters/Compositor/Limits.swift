import CWlroots
import Seat

extension ClientLimits {
    /// Tells C, which counts, how much a client may have. To be called before the first client connects.
    static func tell() {
        var numbers = mw_client_limits()
        numbers.depth = Int32(depth)
        numbers.objects = UInt32(Counted.objects.most)
        numbers.cached = UInt32(cachedCommits)
        numbers.cached_rectangles = Int64(cachedRectangles)
        numbers.pool_bytes = Int64(poolBytes)
        numbers.types = UInt32(types)
        numbers.selections = UInt32(selections)
        numbers.pastes = UInt32(pastes)
        numbers.held_configures = Int32(heldConfigures)
        numbers.configures = Int32(configures)
        numbers.tokens = UInt32(tokens)
        numbers.keymaps = UInt32(keymaps)
        numbers.rectangles = Int32(rectangles)
        numbers.damage_rectangles = Int32(damageRectangles)
        mw_limits_set(&numbers)
        var next = Int32(MW_COUNTED_OWN.rawValue)
        for counted in Counted.allCases {
            let kind: Int32
            switch counted {
            case .objects: kind = Int32(MW_COUNTED_OTHERS.rawValue)
            case .pools: kind = Int32(MW_COUNTED_POOLS.rawValue)
            case .buffers: kind = Int32(MW_COUNTED_BUFFERS.rawValue)
            default:
                kind = next
                next += 1
            }
            mw_limits_count(kind, counted.text, UInt32(counted.most))
            for interface in counted.interfaces { mw_limits_count_class(interface, kind) }
        }
    }
}
