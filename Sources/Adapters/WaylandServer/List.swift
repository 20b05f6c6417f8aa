import CWlroots

/// The structs of a list of libwayland, as they are now. The list may change while the result is gone through, as long as the
/// structs that are still to come are not freed.
///
/// - Parameter link: by which a struct is in the list.
public func elements<Element>(
    of list: UnsafeMutablePointer<wl_list>, by link: PartialKeyPath<Element>
) -> [UnsafeMutablePointer<Element>] {
    let offset = MemoryLayout<Element>.offset(of: link)!
    var found: [UnsafeMutablePointer<Element>] = []
    var next = list.pointee.next
    while let each = next, each != list {
        found.append((UnsafeMutableRawPointer(each) - offset).assumingMemoryBound(to: Element.self))
        next = each.pointee.next
    }
    return found
}
